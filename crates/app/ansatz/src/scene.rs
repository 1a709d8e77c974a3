//! A compiled scene.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use base::{Diagnostic, Diagnostics};
use driver::{At, Compilation, File, Linearization, Settings, Stage, Stages, Target};

use crate::error::Error;
use crate::instance::Instance;

/// How a scene is compiled.
#[derive(Clone, Debug)]
pub struct Options {
    /// The relative error that is allowed in each step; it also decides the order of the method.
    pub tolerance: f64,
    pub solver: Solver,
    /// What is recorded, as expressions of the language; if there are none, what the scene plots.
    pub outputs: Vec<String>,
    /// Where theories and meshes of the scene's own are.
    pub folder: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options { tolerance: 1e-8, solver: Solver::Auto, outputs: Vec::new(), folder: None }
    }
}

/// How a scene is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Explicitly, unless a trial shows that the scene is stiff.
    #[default]
    Auto,
    Explicit,
    Implicit,
}

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
    options: driver::Options,
    /// If a trial was made with it.
    code: Option<Arc<driver::Compiled>>,
    /// All others are made from this one, so that machine code is made once. It is not run.
    first: OnceLock<Result<driver::Instance, Diagnostics>>,
}

impl Scene {
    /// Compiles a text; the name stands in its messages.
    pub fn compile(name: &str, text: &str, options: &Options) -> Result<Scene, Error> {
        let solver = match options.solver {
            Solver::Implicit => driver::Solver::Implicit,
            Solver::Auto | Solver::Explicit => driver::Solver::Explicit,
        };
        let Options { tolerance, outputs, folder, .. } = options.clone();
        let mut compiled = driver::Options { tolerance, solver, probes: outputs, folder, ..driver::Options::default() };
        let mut compilation = driver::compile(name, text, &compiled);
        if compilation.stages.is_none() {
            return Err(Error::new(compilation.diagnostics.iter().cloned(), &compilation.sources));
        }
        let code = match options.solver {
            Solver::Auto => driver::solve_as_suits(&mut compilation, &mut compiled, &Settings::default(), None),
            Solver::Explicit | Solver::Implicit => None,
        };
        // What cannot become machine code is told where somebody wants an instance.
        let code = code.and_then(Result::ok);
        Ok(Scene { inner: Arc::new(Inner { compilation, options: compiled, code, first: OnceLock::new() }) })
    }

    /// Reads and compiles a file. Theories and meshes are looked for beside it, unless the options name a folder.
    pub fn open(file: impl AsRef<Path>, options: &Options) -> Result<Scene, Error> {
        let file = file.as_ref();
        let text = std::fs::read_to_string(file).map_err(|error| Error::unreadable(file, error))?;
        let beside = || file.parent().map(Path::to_path_buf);
        let options = Options { folder: options.folder.clone().or_else(beside), ..options.clone() };
        Scene::compile(&file.display().to_string(), &text, &options)
    }

    pub fn name(&self) -> &str {
        &self.stages().program.name
    }

    /// What there is to know about the text that is no error.
    pub fn warnings(&self) -> Error {
        Error::new(self.inner.compilation.diagnostics.iter().cloned(), &self.inner.compilation.sources)
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

    /// The names of all that is recorded, in the order of a row. A vector has a name for each component.
    pub fn outputs(&self) -> Vec<String> {
        let outputs = self.stages().system.outputs.iter();
        outputs.flat_map(|output| output.columns.iter().map(|(name, _)| name.clone())).collect()
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
        let Inner { compilation, options, code, first } = &*self.inner;
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

    /// The linear model of the scene near a state, with the default parameters.
    pub fn linearize(&self, at: At) -> Result<Linearization, Error> {
        // Everything that can move is a state, whether anyone looks at it or not.
        let options = driver::Options { optimize: driver::Level::None, ..self.inner.options.clone() };
        let source = self.inner.compilation.sources.get(self.inner.compilation.tree.span.source);
        let compilation = driver::compile(&source.name, &source.text, &options);
        let stages = compilation.stages.as_ref().ok_or_else(|| self.error(compilation.diagnostics.iter().cloned()))?;
        driver::linearize(stages, &Settings::default(), at).map_err(|found| self.error(found.iter().cloned()))
    }

    /// The scene as a program in another language: all of its files.
    pub fn export(&self, target: Target) -> Result<Vec<File>, Error> {
        let build = driver::build(&self.inner.compilation, self.stages(), &self.inner.options, target);
        build.map(|build| build.files).map_err(|found| self.error(found.iter().cloned()))
    }

    pub(crate) fn error(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Error {
        Error::new(diagnostics, &self.inner.compilation.sources)
    }

    pub(crate) fn stages(&self) -> &Arc<Stages> {
        self.inner.compilation.stages.as_ref().expect("only scenes without errors are made")
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scene {}", self.name())
    }
}
