//! What is wrong, as exceptions of Python: the class is that of `ansatz/_errors.py`, with all diagnostics.

use ansatz::{Diagnostic, Diagnostics, Error, Severity, Sources};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception for an error.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let made = diagnostics(py, error.diagnostics(), error.sources())
        .and_then(|list| py.import("ansatz._errors")?.getattr("Error")?.call1((error.to_string(), list)));
    made.map_or_else(|trouble| trouble, PyErr::from_value)
}

/// Each diagnostic with its code, message, places, notes and hints, by place.
pub fn diagnostics<'py>(
    py: Python<'py>,
    diagnostics: &Diagnostics,
    sources: &Sources,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = py.import("ansatz._errors")?.getattr("Diagnostic")?;
    diagnostics.sorted().into_iter().map(|found| class.call((), Some(&described(py, found, sources)?))).collect()
}

fn described<'py>(py: Python<'py>, found: &Diagnostic, sources: &Sources) -> PyResult<Bound<'py, PyDict>> {
    let place = py.import("ansatz._errors")?.getattr("Place")?;
    let severity = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Notice => "notice",
    };
    let places = found.labels.iter().map(|label| {
        let source = sources.get(label.span.source);
        let (line, column) = source.line_column(label.span.start as usize);
        place.call1((&source.name, line, column, &label.text))
    });
    let fields = PyDict::new(py);
    fields.set_item("code", found.code.0)?;
    fields.set_item("severity", severity)?;
    fields.set_item("message", &found.message)?;
    fields.set_item("places", places.collect::<PyResult<Vec<_>>>()?)?;
    fields.set_item("notes", &found.notes)?;
    fields.set_item("hints", &found.hints)?;
    Ok(fields)
}
