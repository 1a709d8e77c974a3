//! A scene as a page that moves by itself, for notebooks and browsers.

use std::path::{Path, PathBuf};

use ansatz::{Options, Scene};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::raise;

/// The text of the page, which begins with some values of parameters and controls.
pub fn page(py: Python<'_>, scene: &Scene, values: &[(String, f64)]) -> PyResult<String> {
    let options = Options { picture: true, ..scene.options().clone() };
    let folder = options.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let made = py.detach(|| {
        let scene = Scene::compile(scene.name(), scene.text(), &options)?;
        let (mut module, interface) = scene.export_kernel()?;
        let parameters = scene.parameters().into_iter().map(|it| it.name).enumerate();
        let controls = scene.controls().into_iter().map(|it| it.name).enumerate();
        let places = parameters.map(|it| ("parameters", it)).chain(controls.map(|it| ("controls", it)));
        for (array, (at, name)) in places {
            let given = values.iter().find(|(given, _)| *given == name);
            let initial = module.arrays.iter_mut().find(|it| it.name == array).and_then(|it| it.initial.as_mut());
            if let (Some((_, value)), Some(initial)) = (given, initial) {
                initial[at] = (*value).into();
            }
        }
        Ok((scene, (module, interface)))
    });
    let (scene, exported) = made.map_err(|error| raise(py, &error))?;
    let built = studio::page(&scene, &exported, Path::new(&folder));
    let built = built.map_err(|refusal| PyRuntimeError::new_err(format!("{}; {}", refusal.message, refusal.hint)))?;
    let file = built.files.into_iter().next().expect("a page is one file");
    Ok(String::from_utf8(file.content)?)
}
