//! A scene that runs: its program, which gets the modes of the scene when they are first reached.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{Diagnostics, Sources};
use host::Compiled;
use kernel::{Memory, Module};
use program::Watcher;
use simulation::{Failure, Linked, Linker, Linking, Simulation, Trial, Wanted};

use crate::modes::{in_mode, is_changing, place_of, watchers};
use crate::pipeline::{
    Compilation, Options, Rehearsal, Stages, compile_mode, directions, goals, grown_machine, machine, rehearsal, stops,
};

/// A scene that runs. What it does is that of its [`Simulation`]; beside that it knows the stages of its modes.
pub struct Instance {
    simulation: Simulation,
    programs: Arc<Mutex<Programs>>,
}

impl Deref for Instance {
    type Target = Simulation;

    fn deref(&self) -> &Simulation {
        &self.simulation
    }
}

impl DerefMut for Instance {
    fn deref_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl Instance {
    /// A scene, ready to run; parameters and controls have their defaults. Machine code of the scene's module may have been made for a trial: a
    /// scene without modes has no other.
    pub fn new(
        compilation: &Compilation,
        options: &Options,
        code: Option<Arc<Compiled>>,
    ) -> Result<Instance, Diagnostics> {
        let Some(stages) = &compilation.stages else { return Err(compilation.diagnostics.clone()) };
        let start = stages.model.modes.iter().map(|mode| mode.start).collect();
        let code = code.filter(|_| !is_changing(stages));
        Instance::from_modes(&compilation.sources, vec![(start, stages.clone())], options, code)
    }

    /// From the stages of some modes, that of the start first.
    pub(crate) fn from_modes(
        sources: &Arc<Sources>,
        made: Vec<(Vec<usize>, Arc<Stages>)>,
        options: &Options,
        code: Option<Arc<Compiled>>,
    ) -> Result<Instance, Diagnostics> {
        Programs::new(sources, made, options, code).map(|programs| Instance::of(Arc::new(Mutex::new(programs))))
    }

    fn of(programs: Arc<Mutex<Programs>>) -> Instance {
        let (linked, changes) = {
            let programs = lock(&programs);
            (programs.program.clone(), is_changing(&programs.linked[0].stages))
        };
        let linker = changes.then(|| Box::new(Link(programs.clone())) as Box<dyn Linker>);
        Instance { simulation: Simulation::of(linked, linker), programs }
    }

    /// Another instance of the same scene, not started yet; both share the programs of the modes, whichever of them reaches one first.
    pub fn another(&self) -> Instance {
        Instance::of(self.programs.clone())
    }

    /// Another instance of the same run: not started yet, with the parameters and controls that this one has now.
    pub(crate) fn again(&self) -> Instance {
        let (mut again, stages) = (self.another(), self.stages());
        (0..stages.model.parameters.len()).for_each(|at| again.set_parameter(at, self.parameter(at)));
        (0..stages.model.controls.len()).for_each(|at| again.set_control(at, self.control(at)));
        again
    }

    /// The stages of the mode at the start.
    pub fn stages(&self) -> Arc<Stages> {
        lock(&self.programs).linked[0].stages.clone()
    }

    /// The present mode, and its stages.
    pub(crate) fn present(&self) -> Arc<Part> {
        self.modes().present(&self.simulation)
    }

    /// Its modes, for whoever looks at the simulation while that is on its way.
    pub(crate) fn modes(&self) -> Modes {
        Modes(self.programs.clone())
    }

    /// Whether it tells its states as scenes with modes do, whatever the mode.
    pub(crate) fn has_modes(&self) -> bool {
        is_changing(&self.present().stages)
    }

    pub(crate) fn tolerance(&self) -> f64 {
        lock(&self.programs).options.tolerance
    }

    /// Why a mode could not be made.
    pub(crate) fn errors(&self) -> Diagnostics {
        lock(&self.programs).errors.clone()
    }

    /// The present mode by itself, to be looked at. Its memory may be that of an earlier mode too.
    pub(crate) fn present_alone(&self) -> Simulation {
        self.modes().alone(&self.simulation)
    }

    /// The rate of each of its states where the run was resumed or placed; what the present mode does not integrate has none.
    pub fn rates(&self) -> Vec<f64> {
        let part = self.present();
        let program = &part.stages.program;
        let Some(changes) = program.changes.as_ref().filter(|_| is_changing(&part.stages)) else {
            return self.simulation.rates();
        };
        let mut rates = vec![0.0; changes.variables.len() + part.mode.len() + changes.discrete.len()];
        let states = program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
        for (state, rate) in states.zip(self.simulation.rates()) {
            if let Some(place) = changes.variables.iter().position(|variable| variable.name == state.name) {
                rates[place] = rate;
            }
        }
        rates
    }

    /// The transitions whose guards hold at a time within the last step, by their numbers, and how fast their margins grow there.
    pub fn holding(&mut self, t: f64) -> Result<Vec<(usize, f64)>, Failure> {
        let numbers: Vec<usize> = {
            let part = self.present();
            part.stages.program.changes.iter().flat_map(|changes| &changes.all).map(|change| change.number).collect()
        };
        let guards = self.simulation.guards(t, numbers.len())?;
        Ok(numbers
            .into_iter()
            .zip(guards)
            .filter(|(_, (holds, _))| *holds)
            .map(|(at, (_, slope))| (at, slope))
            .collect())
    }

    /// What the aims of a plan would leave with some choices if it began now; none if its phases do not come to their ends, or it cannot begin in this
    /// mode.
    pub fn try_plan(&mut self, name: &str, t: f64, choices: &[f64]) -> Result<Option<Trial>, Failure> {
        let edge = {
            let part = self.present();
            part.stages.program.changes.as_ref().and_then(|changes| changes.all.iter().position(|it| it.name == name))
        };
        edge.map_or(Ok(None), |edge| self.simulation.try_plan(edge, t, choices))
    }
}

/// The programs of a scene, each made when its mode is first reached.
pub(crate) struct Programs {
    sources: Arc<Sources>,
    options: Options,
    claims: Vec<Watcher>,
    linkage: lower::Linkage,
    /// The stages of each mode so far, that of the start first.
    made: Vec<(Vec<usize>, Arc<Stages>)>,
    /// Those that are in the module, in their order.
    linked: Vec<Arc<Part>>,
    program: Arc<Linked>,
    code: Arc<Compiled>,
    errors: Diagnostics,
}

/// The programs of a scene, as far as they are made.
pub(crate) struct Modes(Arc<Mutex<Programs>>);

impl Modes {
    /// The mode that a simulation of the scene is in, and its stages.
    pub fn present(&self, simulation: &Simulation) -> Arc<Part> {
        lock(&self.0).linked[simulation.mode()].clone()
    }

    /// That mode by itself, to be looked at. Its memory may be that of an earlier mode too.
    pub fn alone(&self, simulation: &Simulation) -> Simulation {
        let (programs, at) = (lock(&self.0), simulation.mode());
        let module = &programs.linked[at].stages.module;
        let places = || (0..=at).filter(|&place| programs.linked[place].rehearsal.is_none());
        let names = |name: &str| places().map(|place| format!("{}_{name}", label(place))).collect();
        simulation.of_mode(module, names)
    }
}

/// A mode of the module.
pub(crate) struct Part {
    pub mode: Vec<usize>,
    pub stages: Arc<Stages>,
    /// If plans are rehearsed in it.
    rehearsal: Option<Rehearsal>,
}

/// Programs are whole between any two calls, so a panic elsewhere leaves them usable.
fn lock(programs: &Mutex<Programs>) -> MutexGuard<'_, Programs> {
    programs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Identifiers of modes that stay as they are when others come.
fn label(at: usize) -> String {
    format!("mode_{at}")
}

impl Programs {
    fn new(
        sources: &Arc<Sources>,
        made: Vec<(Vec<usize>, Arc<Stages>)>,
        options: &Options,
        code: Option<Arc<Compiled>>,
    ) -> Result<Programs, Diagnostics> {
        let (mode, stages) = made[0].clone();
        // A run with derivatives is one that was looked at without them.
        let claims = if options.sensitivities.is_empty() { watchers(&stages.model)? } else { Vec::new() };
        let linked = vec![Arc::new(Part { mode, stages: stages.clone(), rehearsal: None })];
        let mut linkage = lower::Linkage::default();
        let module: Arc<Module> =
            if is_changing(&stages) { join(&linked, &claims, &mut linkage).into() } else { (&stages.module).into() };
        let code = code.map_or_else(|| machine(module.clone()), Ok);
        let code = code.map_err(|diagnostic| [diagnostic].into_iter().collect::<Diagnostics>())?;
        let program = Arc::new(Linked::new(module, code.clone()));
        let (sources, options) = (sources.clone(), options.clone());
        Ok(Programs { sources, options, claims, linkage, made, linked, program, code, errors: Diagnostics::default() })
    }
    fn stages(&mut self, mode: &[usize]) -> Option<Arc<Stages>> {
        if let Some((_, stages)) = self.made.iter().find(|(known, _)| known == mode) {
            return Some(stages.clone());
        }
        let mut sink = Diagnostics::default();
        let model = &self.made[0].1.model;
        let Some(stages) = compile_mode(model, mode, &self.options, &self.sources, &mut sink) else {
            self.errors = sink.iter().map(|found| found.clone().note(in_mode(model, mode))).collect();
            return None;
        };
        self.made.push((mode.to_vec(), Arc::new(stages)));
        self.made.last().map(|(_, stages)| stages.clone())
    }

    /// Links a mode, if it is not there.
    fn link(&mut self, mode: Vec<usize>, rehearsed: bool) -> Option<()> {
        if self.linked.iter().any(|part| part.mode == mode && part.rehearsal.is_some() == rehearsed) {
            return Some(());
        }
        let stages = self.stages(&mode)?;
        let rehearsal = rehearsed.then(|| rehearsal(&stages, &self.options, &self.sources));
        self.linked.push(Arc::new(Part { mode, stages, rehearsal }));
        let module: Arc<Module> = join(&self.linked, &self.claims, &mut self.linkage).into();
        match grown_machine(Some(&self.code), module.clone()) {
            Ok(code) => {
                self.program = Arc::new(Linked::new(module, code.clone()));
                self.code = code;
                Some(())
            }
            Err(diagnostic) => {
                self.linked.pop();
                self.linkage = lower::Linkage::default();
                self.errors = [diagnostic].into_iter().collect();
                None
            }
        }
    }

    /// Which mode is wanted, and whether for rehearsals.
    fn wanted(&self, wanted: Wanted<'_>) -> (Vec<usize>, bool) {
        match wanted {
            Wanted::Target { mode, edge } => {
                let part = &self.linked[mode];
                let changes = part.stages.program.changes.as_ref();
                let target = changes.map(|changes| changes.all[edge].target.clone());
                (target.unwrap_or_else(|| part.mode.clone()), part.rehearsal.is_some())
            }
            Wanted::Rehearsal { mode } => (self.linked[mode].mode.clone(), true),
            Wanted::Values(states) => {
                let first = self.linked[0].stages.program.changes.as_ref().map_or(0, |it| it.variables.len());
                (states[first..first + self.linked[0].mode.len()].to_vec(), false)
            }
        }
    }
}

/// The module of the modes that are linked.
fn join(linked: &[Arc<Part>], claims: &[Watcher], linkage: &mut lower::Linkage) -> Module {
    let start = &linked[0].stages;
    let modes = linked.iter().enumerate().map(|(at, part)| {
        let (program, module) = match &part.rehearsal {
            None => (&part.stages.program, &part.stages.module),
            Some(Rehearsal { program, module }) => (program, module),
        };
        lower::Mode { label: label(at), values: &part.mode, program, module }
    });
    let begins = start.model.transitions.iter().enumerate();
    let dues = begins.filter_map(|(begins, it)| Some((begins, place_of(&start.model, it.due?))));
    linkage.link(&lower::Automaton {
        name: &start.module.name,
        modes: modes.collect(),
        is_open: true,
        directions: directions(&start.model),
        goals: goals(&start.model),
        mode_names: start.model.modes.iter().map(|mode| mode.name.clone()).collect(),
        transitions: start.model.transitions.iter().map(|transition| transition.name.clone()).collect(),
        claims: claims.to_vec(),
        conditions: start.model.conditions.len(),
        dues: dues.collect(),
        stops: stops(&start.model),
        events: kernel::protocol::EVENTS,
    })
}

/// What a simulation has of the programs.
struct Link(Arc<Mutex<Programs>>);

impl Linker for Link {
    fn link(&mut self, wanted: Wanted<'_>, present: &Arc<Linked>, memory: &Memory) -> Linking {
        let mut programs = lock(&self.0);
        let (mode, rehearsed) = programs.wanted(wanted);
        if programs.link(mode, rehearsed).is_none() {
            return Linking::Failed;
        }
        if Arc::ptr_eq(present, &programs.program) {
            return Linking::There;
        }
        // Another instance may have linked more than this mode since then.
        let program = programs.program.clone();
        let memory = kernel::carry_over(&present.module, memory, &program.module);
        Linking::Grown(program, memory)
    }

    fn transition(&self, number: usize) -> String {
        lock(&self.0).linked[0].stages.model.transitions[number].name.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_go_from_thread_to_thread() {
        fn is_send<T: Send + 'static>() {}
        is_send::<Instance>();
    }
}
