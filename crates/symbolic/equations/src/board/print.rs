//! The board as text, as `ansatz explain --equations` prints it.

use std::fmt::Write;

use base::Sources;
use expr::{Notation, identifier};

use super::{Board, BoardRow, Proof};

pub fn print_board(board: &Board, notation: Notation, sources: &Sources) -> String {
    let mut out = String::new();
    if notation == Notation::Sympy {
        out.push_str(&declarations(board));
    }
    let mut role = "";
    for row in &board.rows {
        if row.role != role {
            role = row.role;
            let _ = writeln!(out, "{}{role}", comment(notation));
        }
        let place = sources.locate(row.span);
        let _ = writeln!(out, "{}  {}   ({place})", comment(notation), row.label);
        let _ = writeln!(out, "{}{}", indent(notation), board.equation(row, notation));
        for remark in remarks(board, row) {
            let _ = writeln!(out, "{}    {remark}", comment(notation));
        }
    }
    for at in 0..board.parts.len() {
        let head = if at == 0 { format!("{}where\n", comment(notation)) } else { String::new() };
        let _ = writeln!(out, "{head}{}{}", indent(notation), board.definition(at, notation));
    }
    let legend = board.legend(Notation::Text);
    if !legend.is_empty() && notation != Notation::Sympy {
        let entries: Vec<String> = legend.iter().map(|(letter, word)| format!("{letter} is {word}")).collect();
        let _ = writeln!(out, "{}{}", comment(notation), entries.join(", "));
    }
    out
}

/// What is said of a row beside its formula.
pub fn remarks(board: &Board, row: &BoardRow) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(divided) = &row.divided {
        remarks.push(format!("divided by {}, which is not zero", board.write(divided, Notation::Text)));
    }
    if let Proof::Checked(points) = row.proof {
        remarks.push(format!("agrees with what was derived at {points} random points"));
    }
    remarks.extend(row.note.clone());
    remarks
}

/// What makes the lines of a notation that are no formulas comments.
fn comment(notation: Notation) -> &'static str {
    match notation {
        Notation::Text => "",
        Notation::Latex => "% ",
        Notation::Typst => "// ",
        Notation::Sympy => "# ",
    }
}

fn indent(notation: Notation) -> &'static str {
    if notation == Notation::Sympy { "" } else { "      " }
}

/// What SymPy has to know before the equations.
fn declarations(board: &Board) -> String {
    let mut names: Vec<String> = board.names.keys().map(|&symbol| identifier(&board.word(symbol))).collect();
    names.extend((0..board.parts.len()).map(|at| format!("k{}", at + 1)));
    names.sort_unstable();
    names.dedup();
    let rows = board.rows.iter().flat_map(|row| [&row.left, &row.right]);
    let formulas = rows.chain(board.parts.iter().map(|part| &part.formula));
    let writer = board.writer(Notation::Sympy);
    let mut functions: Vec<String> = formulas.flat_map(|formula| writer.functions_of_the_scene(formula)).collect();
    functions.sort_unstable();
    functions.dedup();
    // The comma behind a single name keeps a tuple of it.
    let declared = |names: &[String], class: &str| match names {
        [] => String::new(),
        names => format!("{}, = symbols('{},'{class})\n", names.join(", "), names.join(" ")),
    };
    format!("from sympy import *\n{}{}", declared(&names, ""), declared(&functions, ", cls=Function"))
}
