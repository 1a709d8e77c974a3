//! A compiled scene.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use base::{Diagnostic, Diagnostics, Sources};
use driver::{
    Adjustable, At, Build, Compilation, Level, Linearization, Options, Settings, Solver, Stage, Stages, Target, Trial,
};
#[cfg(not(target_arch = "wasm32"))]
use driver::{Fmi, Fmu};

use crate::dynamics::Dynamics;
use crate::error::Error;
use crate::instance::Instance;

/// A number that stays as it is while a scene runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    /// In SI units.
    pub default: f64,
    /// As it was declared; `1` for plain numbers.
    pub unit: String,
    pub description: Option<String>,
}

/// A number that may be set at any time while a scene runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub name: String,
    /// In SI units.
    pub default: f64,
    pub unit: String,
    /// In SI units.
    pub range: Option<(f64, f64)>,
}

/// A recorded number; what [`Scene::output`] gives for its name is looked up once, and read without searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Output(pub(crate) usize);

/// A compiled scene. Copies are cheap and share everything, in any thread.
#[derive(Clone)]
pub struct Scene {
    inner: Arc<Inner>,
}

struct Inner {
    compilation: Compilation,
    options: Options,
    /// The solver of the options before one was chosen.
    asked: Solver,
    /// If a trial was made with it.
    code: Option<Arc<driver::Compiled>>,
    /// The scene with other solvers, once runs want them.
    variants: Variants,
    /// All others are made from this one, so that machine code is made once. It is not run.
    first: OnceLock<Result<driver::Instance, Diagnostics>>,
}

/// Whether a run is stiff decides its solver, and depends on its numbers.
#[derive(Default)]
struct Variants {
    trial: OnceLock<Result<Trial, Error>>,
    explicit: OnceLock<Result<Scene, Error>>,
    implicit: OnceLock<Result<Scene, Error>>,
    /// With derivatives by some parameters, each once.
    differentiated: Mutex<Vec<(Vec<String>, Scene)>>,
}

/// A column of what is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub name: String,
    /// Of the SI; nothing for plain numbers.
    pub unit: String,
    /// What its values are called, if it is a mode.
    pub words: Option<Vec<String>>,
}

impl Scene {
    /// Compiles a text; the name stands in its messages.
    pub fn compile(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
            let message = format!("{} is no tolerance", options.tolerance);
            let hint = "it is the relative error of a step, such as 1e-8";
            return Err(Error::new([Diagnostic::error(driver::BAD_SETTING, message).hint(hint)], &Arc::default()));
        }
        let scene = Scene::of(driver::compile(name, text, options), options);
        scene.map_err(|found| Error::new(found.diagnostics.iter().cloned(), &found.sources))
    }

    /// A compilation as a scene; what has errors comes back.
    #[doc(hidden)]
    pub fn of(mut compilation: Compilation, options: &Options) -> Result<Scene, Box<Compilation>> {
        if compilation.stages.is_none() {
            return Err(Box::new(compilation));
        }
        let (asked, mut options) = (options.solver, options.clone());
        let code = match options.solver {
            Solver::Auto => driver::machine_as_suits(&mut compilation, &mut options),
            Solver::Explicit | Solver::Implicit => None,
        };
        // What cannot become machine code is told where somebody wants an instance.
        let code = code.and_then(Result::ok);
        Ok(Scene {
            inner: Arc::new(Inner {
                compilation,
                options,
                asked,
                code,
                variants: Variants::default(),
                first: OnceLock::new(),
            }),
        })
    }

    /// Reads and compiles a file. Theories and meshes are looked for beside it, unless the options name a folder.
    pub fn open(file: impl AsRef<Path>, options: &Options) -> Result<Scene, Error> {
        let file = file.as_ref();
        let text = std::fs::read_to_string(file).map_err(|error| Error::unreadable(file, error))?;
        let beside = || file.parent().map(Path::to_path_buf);
        let options = Options { folder: options.folder.clone().or_else(beside), ..options.clone() };
        Scene::compile(&file.display().to_string(), &text, &options)
    }

    /// Whether both are one compilation, so that what one has made fits the other.
    pub(crate) fn is(&self, other: &Scene) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    pub fn name(&self) -> &str {
        &self.stages().program.name
    }

    /// What there is to know about the text that is no error.
    pub fn warnings(&self) -> &Diagnostics {
        &self.inner.compilation.diagnostics
    }

    /// The texts that the places of diagnostics lie in: that of the scene, and those of the theories it uses.
    pub fn sources(&self) -> &Sources {
        &self.inner.compilation.sources
    }

    pub fn parameters(&self) -> Vec<Parameter> {
        let parameters = self.stages().system.parameters.iter();
        let parameter = |it: &driver::SystemParameter| Parameter {
            name: it.name.clone(),
            default: it.default,
            unit: it.unit.text.clone(),
            description: it.description.clone(),
        };
        parameters.map(parameter).collect()
    }

    pub fn controls(&self) -> Vec<Control> {
        let controls = self.stages().system.controls.iter();
        let control = |it: &driver::SystemControl| Control {
            name: it.name.clone(),
            default: it.default,
            unit: it.unit.text.clone(),
            range: it.range,
        };
        controls.map(control).collect()
    }

    /// The parameter or control of a name.
    pub fn adjustable(&self, name: &str) -> Result<Adjustable, Error> {
        Adjustable::named(name, self.stages()).map_err(|unknown| self.error([unknown]))
    }

    /// The value in SI units of a quantity, such as `80 [cm]`, for a parameter or a control.
    pub fn value(&self, name: &str, quantity: &str) -> Result<f64, Error> {
        self.adjustable(name)?.value(quantity).map_err(|bad| self.error([bad]))
    }

    /// The names of all that is recorded, in the order of a row. A vector has a name for each component.
    pub fn outputs(&self) -> Vec<String> {
        let outputs = self.stages().system.outputs.iter();
        outputs.flat_map(|output| output.columns.iter().map(|(name, _)| name.clone())).collect()
    }

    /// All that is recorded, in the order of a row.
    pub fn recorded(&self) -> Vec<Recorded> {
        let stages = self.stages();
        let outputs = stages.system.outputs.iter().zip(stages.model.output_units());
        let columns = outputs.flat_map(|(output, unit)| {
            let column =
                move |name: &str| Recorded { name: name.into(), unit: unit.clone(), words: output.words.clone() };
            output.columns.iter().map(move |(name, _)| column(name))
        });
        columns.collect()
    }

    /// The names of the transitions that may happen.
    pub fn transitions(&self) -> Vec<String> {
        self.stages().model.transitions.iter().map(|transition| transition.name.clone()).collect()
    }

    /// The recorded number of a name.
    pub fn output(&self, name: &str) -> Result<Output, Error> {
        let names = self.outputs();
        names.iter().position(|known| known == name).map(Output).ok_or_else(|| {
            let hint = match base::nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it records {}; name others in `Options::outputs`", names.join(", ")),
            };
            let message = format!("the scene does not record `{name}`");
            self.error([Diagnostic::error(driver::UNKNOWN_SETTING, message).hint(hint)])
        })
    }

    /// A new instance, with all parameters and controls at their defaults.
    pub fn instance(&self) -> Result<Instance, Error> {
        let Inner { compilation, options, code, first, .. } = &*self.inner;
        let first = first.get_or_init(|| driver::Instance::new(compilation, options, code.clone()));
        match first {
            Ok(first) => Ok(Instance::new(self.clone(), first.another(), options.tolerance)),
            Err(found) => Err(self.error(found.iter().cloned())),
        }
    }

    /// What a stage of the compiler made of the scene, as text; all of them in short, if none is named.
    pub fn explain(&self, stage: Option<Stage>) -> String {
        driver::explain(&self.inner.compilation, self.stages(), stage)
    }

    /// The linear model of the scene near a state, with some settings.
    pub fn linearize(&self, at: At, settings: &Settings) -> Result<Linearization, Error> {
        let found = driver::linearize(self.undecomposed()?.stages(), settings, at);
        found.map_err(|found| self.error(found.iter().cloned()))
    }

    /// The linear model where a run with some settings is at a time, in the mode that it is in there.
    pub fn linearize_at(&self, t: f64, settings: &Settings) -> Result<Linearization, Error> {
        let mut run = self.undecomposed()?.instance()?;
        run.set_all(settings)?;
        run.start()?;
        run.advance_to(t)?;
        if let Some(stopped) = run.stopped().filter(|&stopped| stopped < t) {
            let message = format!("the run ends at t = {stopped} s, before {t} s");
            return Err(self.error([Diagnostic::error(driver::BAD_SETTING, message).hint("choose an earlier time")]));
        }
        let found = driver::linearize_present(run.inner(), t);
        found.map_err(|found| self.error(found.iter().cloned()))
    }

    /// The equations of motion in the mode at the start, with some settings: rates of states, and their derivatives.
    pub fn dynamics(&self, settings: &Settings) -> Result<Dynamics, Error> {
        Dynamics::new(self.undecomposed()?, settings)
    }

    /// The scene in which everything that can move is a state, whether anyone looks at it or not.
    fn undecomposed(&self) -> Result<Scene, Error> {
        match self.inner.options.optimize {
            Level::None => Ok(self.clone()),
            Level::Full => {
                let options = Options { optimize: Level::None, solver: Solver::Explicit, ..self.inner.options.clone() };
                self.compiled_with(&options)
            }
        }
    }

    /// The scene whose rows have derivatives behind them; only runs of it make sense.
    pub(crate) fn with_sensitivities(&self, by: &[&str]) -> Result<Scene, Error> {
        let sensitivities: Vec<String> = by.iter().map(|name| name.to_string()).collect();
        let mut made = self.inner.variants.differentiated.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, scene)) = made.iter().find(|(known, _)| *known == sensitivities) {
            return Ok(scene.clone());
        }
        let (options, solver) = (self.inner.options.clone(), self.inner.asked);
        let scene = self.compiled_with(&Options { sensitivities: sensitivities.clone(), solver, ..options })?;
        made.push((sensitivities, scene.clone()));
        Ok(scene)
    }

    /// The text of the scene.
    pub fn text(&self) -> &str {
        &self.source().text
    }

    pub(crate) fn source(&self) -> &base::Source {
        self.inner.compilation.sources.get(self.inner.compilation.tree.span.source)
    }

    /// The same text with other options.
    fn compiled_with(&self, options: &Options) -> Result<Scene, Error> {
        let source = self.source();
        Scene::compile(&source.name, &source.text, options)
    }

    /// The solver that was asked for.
    pub(crate) fn asked_solver(&self) -> Solver {
        self.inner.asked
    }

    /// This scene with a solver; itself, if that is the one it has.
    pub(crate) fn with_solver(&self, solver: Solver) -> Result<Scene, Error> {
        if self.inner.options.solver == solver {
            return Ok(self.clone());
        }
        let variants = &self.inner.variants;
        let made = if solver == Solver::Implicit { &variants.implicit } else { &variants.explicit };
        made.get_or_init(|| self.compiled_with(&Options { solver, ..self.inner.options.clone() })).clone()
    }

    /// What tells whether a run is stiff.
    pub(crate) fn trial(&self) -> Result<&Trial, Error> {
        let made = self.inner.variants.trial.get_or_init(|| {
            let trial = Trial::new(self.with_solver(Solver::Explicit)?.stages(), self.inner.options.tolerance);
            trial.map_err(|diagnostic| self.error([diagnostic]))
        });
        made.as_ref().map_err(Error::clone)
    }

    /// The scene as a program in another language.
    pub fn export(&self, target: Target) -> Result<Build, Error> {
        let build = driver::build(&self.inner.compilation, self.stages(), &self.inner.options, target);
        build.map_err(|found| self.error(found.iter().cloned()))
    }

    /// The scene as a functional mock-up unit, with a run of it to some time inside.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn export_fmu(&self, version: Fmi, until: f64, every: f64) -> Result<Fmu, Error> {
        let mut rows = Vec::new();
        let row = |t: f64, row: &[f64]| {
            rows.push((t, row.to_vec()));
            std::ops::ControlFlow::Continue(())
        };
        self.instance()?.run(until, every, row, |_| std::ops::ControlFlow::Continue(())).whole()?;
        let reference = driver::Reference { until, every, rows };
        let fmu = driver::fmu(&self.inner.compilation, self.stages(), &self.inner.options, version, &reference);
        fmu.map_err(|found| self.error(found.iter().cloned()))
    }

    /// What there is to say of the scene beside its text: transitions that exclude one another, modes that cannot be reached, a start that does
    /// not exist with the default parameters, shapes that pass through each other.
    pub fn check(&self) -> Diagnostics {
        let Inner { compilation, options, .. } = &*self.inner;
        let mut found = Diagnostics::default();
        driver::check_modes(self.stages(), options, &compilation.sources, &mut found);
        if !found.has_errors() {
            let started = self.instance().and_then(|mut instance| {
                driver::apply(&Settings::default(), self.stages(), instance.inner(), &mut found);
                instance.start().map(|()| instance.warnings())
            });
            let more = started.unwrap_or_else(|error| error.diagnostics);
            more.iter().cloned().for_each(|more| found.report(more));
        }
        // Only of a scene that runs can be said what it would show.
        if !found.has_errors() {
            driver::note_passing(&self.stages().model, &mut found);
        }
        self.news(&found)
    }

    pub(crate) fn error(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Error {
        Error::new(diagnostics, &self.inner.compilation.sources)
    }

    /// What was not said when the scene was compiled.
    pub(crate) fn news(&self, found: &Diagnostics) -> Diagnostics {
        found.iter().filter(|found| !self.warnings().iter().any(|known| known == *found)).cloned().collect()
    }

    /// All that the compiler made, for the programs of this tree that show its stages. It changes from version to version.
    #[doc(hidden)]
    pub fn compilation(&self) -> &Compilation {
        &self.inner.compilation
    }

    /// The module of an exported program, and what people know of it.
    #[doc(hidden)]
    pub fn export_kernel(&self) -> Result<(kernel::Module, kernel::interface::Interface), Error> {
        let exported = driver::export(&self.inner.compilation, self.stages(), &self.inner.options);
        exported.map_err(|found| self.error(found.iter().cloned()))
    }

    /// The same for many runs on a GPU.
    pub(crate) fn export_for_many(&self) -> Result<(kernel::Module, kernel::interface::Interface), Error> {
        let exported = driver::export_for_many(&self.inner.compilation, self.stages(), &self.inner.options);
        exported.map_err(|found| self.error(found.iter().cloned()))
    }

    #[doc(hidden)]
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    #[doc(hidden)]
    pub fn stages(&self) -> &Arc<Stages> {
        self.inner.compilation.stages.as_ref().expect("only scenes without errors are made")
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scene {}", self.name())
    }
}
