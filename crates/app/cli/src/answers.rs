//! What is asked of a linear model besides: a regulator, transfer functions, answers to oscillations and to steps.

use ansatz::Linearization;
use driver::Regulator;
use serde_json::{Value, json};

use crate::arguments::LinearizeArguments;
use crate::plot::{Column, Curve, Recording, Style};

/// How many points an answer has.
const POINTS: usize = 401;

pub fn text(arguments: &LinearizeArguments, found: &Linearization, regulator: Option<&Regulator>) -> String {
    let mut text = regulator.map_or(String::new(), |regulator| driver::regulator_text(found, regulator));
    if arguments.transfer {
        text.push_str(&match driver::transfers(found) {
            Some(transfers) => driver::transfer_text(found, &transfers),
            None => "\ntransfer functions cannot be computed: derivatives differ too much in size\n".to_string(),
        });
    }
    let style = Style { color: false, ..Style::of_terminal() };
    for input in 0..found.inputs.len() {
        let name = &found.inputs[input].name;
        if arguments.step {
            text.push_str(&format!("\na step of {name} by 1, over the time\n{}", step(found, input, style)));
        }
        for output in (0..found.outputs.len()).filter(|_| arguments.bode) {
            let title = format!("{} / {name}", found.outputs[output].name);
            text.push_str(&format!(
                "\n{title}, against the logarithm of rad/s\n{}",
                bode(found, [input, output], style)
            ));
        }
    }
    text
}

fn step(found: &Linearization, input: usize, style: Style) -> String {
    let columns = found.outputs.iter().map(|it| Column::new(it.name.clone(), "")).collect();
    let curves = (0..found.outputs.len()).map(|column| Curve { column, against: None }).collect();
    let mut recording = Recording::new(columns, curves);
    driver::step(found, input, POINTS).into_iter().for_each(|(t, row)| recording.row(t, &row));
    recording.draw(0.0, style)
}

fn bode(found: &Linearization, [input, output]: [usize; 2], style: Style) -> String {
    let column = |name: &str, unit: &str| Column::new(name.to_string(), unit);
    let columns = vec![column("size", "dB"), column("phase", "deg"), column("log10 of rad/s", "")];
    let curves = vec![Curve { column: 0, against: Some(2) }, Curve { column: 1, against: Some(2) }];
    let mut recording = Recording::new(columns, curves);
    for answer in driver::oscillations(found, input, output, POINTS) {
        recording.row(answer.frequency, &[answer.decibels(), answer.degrees(), answer.decade()]);
    }
    recording.draw(0.0, style)
}

pub fn json(arguments: &LinearizeArguments, found: &Linearization, regulator: Option<&Regulator>) -> Value {
    let mut all = driver::linearization_json(found);
    if let Some(regulator) = regulator {
        all["lqr"] = driver::regulator_json(regulator);
    }
    if arguments.transfer {
        all["transfer"] = driver::transfers(found).map_or(Value::Null, |it| driver::transfer_json(found, &it));
    }
    let pairs =
        || (0..found.inputs.len()).flat_map(|input| (0..found.outputs.len()).map(move |output| [input, output]));
    if arguments.bode {
        let one = |[input, output]: [usize; 2]| {
            let answers = driver::oscillations(found, input, output, POINTS);
            json!({
                "input": found.inputs[input].name,
                "output": found.outputs[output].name,
                "omega": answers.iter().map(|it| it.frequency).collect::<Vec<f64>>(),
                "magnitude": answers.iter().map(|it| it.size).collect::<Vec<f64>>(),
                "phase": answers.iter().map(|it| it.phase).collect::<Vec<f64>>(),
            })
        };
        all["bode"] = pairs().map(one).collect();
    }
    if arguments.step {
        let one = |input: usize| {
            let rows = driver::step(found, input, POINTS);
            let column = |at: usize| rows.iter().map(|(_, row)| row[at]).collect::<Vec<f64>>();
            json!({
                "input": found.inputs[input].name,
                "t": rows.iter().map(|(t, _)| *t).collect::<Vec<f64>>(),
                "outputs": (0..found.outputs.len()).map(|at| json!({ "name": found.outputs[at].name, "values": column(at) })).collect::<Vec<_>>(),
            })
        };
        all["step"] = (0..found.inputs.len()).map(one).collect();
    }
    all
}
