//! Pictures: `show`, `camera`, `light` and `trace`.

use base::{Diagnostic, Dimension, Span};
use syntax::{Argument, Clause, Expr, ExprKind, Item, ItemKind, print_expression};

use super::color::rgb;
use super::space::Scope;
use super::surface::Level;
use super::{Entity, Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::model::{FrameId, WORLD};
use crate::picture::{
    ArgumentKind, Camera, Curve, FIGURES, Figure, FigureArgument, FigureRow, Light, Look, Surface, Trace,
};
use crate::term::{Amount, FrameQuantity, Shape, TermId, TermKind, Type};

const LENGTH: Type = Type::scalar(Dimension::LENGTH);
const PLACE: Type = Type::vector(Dimension::LENGTH);

/// What may follow the subject of each statement.
const SHOW_CLAUSES: &[&str] = &["on", "at", "along", "turned", "color", "opacity"];
const CAMERA_CLAUSES: &[&str] = &["on", "at", "looking at"];
const LIGHT_CLAUSES: &[&str] = &["from", "color"];
const TRACE_CLAUSES: &[&str] = &["color"];

impl<'t> Resolver<'t, '_> {
    pub(super) fn view(&mut self, item: &'t Item, condition: Option<TermId>, scope: &Scope) -> Outcome<()> {
        match &item.kind {
            ItemKind::Show(view) => self.show(view, condition, scope, item.span),
            ItemKind::Camera(view) => self.camera(view, scope, item.span),
            ItemKind::Light(view) => self.light(view, scope, item.span),
            ItemKind::Trace(view) => self.trace(view, scope, item.span),
            _ => Ok(()),
        }
    }

    fn show(&mut self, view: &'t syntax::View, condition: Option<TermId>, scope: &Scope, span: Span) -> Outcome<()> {
        self.check_clauses(view, SHOW_CLAUSES, "show");
        let Some(subject) = &view.subject else { return Err(Reported) };
        let (name, given): (&str, &[Argument]) = match &subject.kind {
            ExprKind::Call { function, arguments } => match &function.kind {
                ExprKind::Name(name) => (name, arguments),
                _ => ("", arguments),
            },
            ExprKind::Name(name) => (name, &[]),
            ExprKind::Error => return Err(Reported),
            _ => ("", &[]),
        };
        let Some(row) = FIGURES.iter().find(|row| row.name == name) else {
            return Err(self.unknown_figure(name, subject, scope));
        };
        let look = self.look(view, scope);
        let frame = self.frame_clause(view, scope);
        let offset = clause(view, "at").map(|at| self.expect(&at.value, scope, PLACE, "where a figure is"));
        let along = clause(view, "along").map(|along| self.direction(&along.value, scope));
        let quaternion = Type { shape: Shape::Quaternion, amount: Amount::Of(Dimension::NONE) };
        let turned = clause(view, "turned").map(|turned| self.expect(&turned.value, scope, quaternion, "a turn"));
        let arguments = self.arrange(row, given, subject.span);
        let (look, frame, offset, along, arguments) =
            (look?, frame?.unwrap_or(WORLD), offset.transpose()?, along.transpose()?, arguments?);
        let turned = turned.transpose()?;
        if row.name == "curve" {
            return self.curve(row, &arguments, look, scope, span);
        }
        if row.name == "surface" {
            return self.shown_surface(&arguments, look, scope, span);
        }
        let number = |argument| self.figure_argument(row, argument, scope, subject.span);
        let arguments = all(row.arguments.iter().zip(arguments).map(number))?;
        // What is not to be seen has no size.
        let sizes = row.arguments.iter().zip(arguments);
        let arguments = sizes.map(|(argument, value)| match argument.kind {
            ArgumentKind::Point => value,
            _ => self.value_while(condition, value),
        });
        let arguments = arguments.collect();
        let file = self.mesh_file(row, view, subject.span)?;
        let along = along.unwrap_or([0.0, 0.0, 1.0]);
        let figure = Figure { row, frame, offset, along, turned, arguments, look, file, implied: false, span };
        self.model.picture.figures.push(figure);
        Ok(())
    }

    fn unknown_figure(&mut self, name: &str, subject: &Expr, scope: &Scope) -> Reported {
        let known: Vec<&str> = FIGURES.iter().map(|row| row.name).collect();
        let frame = matches!(self.entity(name, Sense::Thing, scope.space), Some(Entity::Frame(_)));
        let hint = match other_name(name).or_else(|| base::nearest(name, known.iter().copied())) {
            _ if frame => format!("say as what: `show sphere(10 [cm]) on {name}`"),
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        let message =
            format!("there is no figure `{}`", if name.is_empty() { print_expression(subject) } else { name.into() });
        let place = match &subject.kind {
            ExprKind::Call { function, .. } => function.span,
            _ => subject.span,
        };
        self.report(Diagnostic::error(codes::UNKNOWN_FIGURE, message).at(place, "unknown").hint(hint))
    }

    /// Puts arguments, with or without names, into the order of the row; nothing where one may be left out and is.
    fn arrange(
        &mut self,
        row: &'static FigureRow,
        given: &'t [Argument],
        span: Span,
    ) -> Outcome<Vec<Option<&'t Expr>>> {
        let names: Vec<&str> = row.arguments.iter().map(|argument| argument.name).collect();
        let usage = format!("write `show {}({})`", row.name, names.join(", "));
        let wrong = |message: String, place: Span, label: &str| {
            Diagnostic::error(codes::WRONG_ARGUMENTS, message).at(place, label).hint(usage.clone())
        };
        let mut places: Vec<Option<&'t Expr>> = vec![None; names.len()];
        for (at, argument) in given.iter().enumerate() {
            let place = match &argument.name {
                Some(name) => names.iter().position(|known| *known == name.text),
                None => Some(at),
            };
            let span = argument.name.as_ref().map_or(argument.value.span, |name| name.span);
            match place.and_then(|place| places.get_mut(place)) {
                Some(free @ None) => *free = Some(&argument.value),
                Some(_) => return Err(self.report(wrong("this is given twice".into(), span, "again here"))),
                None => {
                    let message = format!("a {} has no such argument", row.name);
                    return Err(self.report(wrong(message, span, "unknown")));
                }
            }
        }
        let missing = row.arguments.iter().zip(&places).find(|(argument, place)| place.is_none() && required(argument));
        match missing {
            Some((argument, _)) => {
                let message = format!("the `{}` of this {} is missing", argument.name, row.name);
                Err(self.report(wrong(message, span, "here")))
            }
            None => Ok(places),
        }
    }

    fn figure_argument(
        &mut self,
        row: &FigureRow,
        (argument, given): (&FigureArgument, Option<&Expr>),
        scope: &Scope,
        span: Span,
    ) -> Outcome<TermId> {
        let what = format!("the {} of a {}", argument.name, row.name);
        match (argument.kind, given) {
            (ArgumentKind::Point, Some(given)) => self.place(given, scope, &what),
            (ArgumentKind::Length | ArgumentKind::LengthOr(_), Some(given)) => self.expect(given, scope, LENGTH, &what),
            (_, Some(given)) => self.expect(given, scope, Type::scalar(Dimension::NONE), &what),
            (ArgumentKind::LengthOr(value), None) => Ok(self.push(TermKind::Number(value), LENGTH, span)),
            (ArgumentKind::NumberOr(value), None) => Ok(self.plain_number(value, span)),
            (_, None) => Err(Reported),
        }
    }

    /// A frame's origin, or a position.
    fn place(&mut self, expr: &Expr, scope: &Scope, what: &str) -> Outcome<TermId> {
        if let Some(frame) = self.frame_named(expr, scope) {
            return Ok(self.origin(frame, expr.span));
        }
        self.expect(expr, scope, PLACE, what)
    }

    /// The frame that an expression names, if it names one and not a quantity.
    fn frame_named(&mut self, expr: &Expr, scope: &Scope) -> Option<FrameId> {
        if !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Field { .. }) {
            return None;
        }
        // Whatever is wrong with it is reported when it is read as a quantity.
        let known = self.sink.clone();
        let value = self.value_as(expr, scope, Sense::Thing);
        *self.sink = known;
        match value {
            Ok(Value::Frame(frame)) => Some(frame),
            _ => None,
        }
    }

    pub(super) fn origin(&mut self, frame: FrameId, span: Span) -> TermId {
        self.push(TermKind::Frame(frame, FrameQuantity::Position), PLACE, span)
    }

    fn mesh_file(&mut self, row: &FigureRow, view: &syntax::View, span: Span) -> Outcome<Option<String>> {
        match (&view.file, row.name) {
            (Some(file), "mesh") => Ok(Some(file.value.clone())),
            (None, "mesh") => Err(self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, "a mesh comes from a file")
                    .at(span, "which one?")
                    .hint("write `show mesh \"car.glb\" on car`"),
            )),
            (Some(file), name) => Err(self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, format!("a {name} needs no file"))
                    .at(file.span, "this is too much")
                    .hint("drop it, or write `show mesh \"…\"`"),
            )),
            (None, _) => Ok(None),
        }
    }

    /// A tube along a function of one number.
    fn curve(
        &mut self,
        row: &FigureRow,
        arguments: &[Option<&'t Expr>],
        look: Look,
        scope: &Scope,
        span: Span,
    ) -> Outcome<()> {
        let &[Some(path), Some(from), Some(to), Some(radius)] = arguments else { return Err(Reported) };
        let number = Type::scalar(Dimension::NONE);
        let radius = self.expect(radius, scope, LENGTH, &format!("the radius of a {}", row.name));
        let (from, to) =
            (self.expect(from, scope, number, "where a curve begins"), self.expect(to, scope, number, "where it ends"));
        let point = self.curve_path(path, scope);
        let (radius, from, to, (parameter, point)) = (radius?, from?, to?, point?);
        self.model.picture.curves.push(Curve { parameter, point, from, to, radius, look, span });
        Ok(())
    }

    /// A surface that the scene declares, in the axes of its own frame.
    fn shown_surface(&mut self, arguments: &[Option<&'t Expr>], look: Look, scope: &Scope, span: Span) -> Outcome<()> {
        let &[Some(path), Some(size)] = arguments else { return Err(Reported) };
        let surface = self.surface_of(path, scope);
        let size = self.expect(size, scope, LENGTH, "the size of what is shown of a surface");
        let (surface, size) = (surface?, size?);
        let Level { frame, coordinates, residual } = self.level(surface, path.span)?;
        let name = print_expression(path);
        self.model.picture.surfaces.push(Surface { name, frame, coordinates, residual, size, look, span });
        Ok(())
    }

    /// The body of a function of one number that gives a position.
    fn curve_path(&mut self, path: &'t Expr, scope: &Scope) -> Outcome<(crate::BoundId, TermId)> {
        let ExprKind::Name(name) = &path.kind else { return Err(self.not_a_path(path)) };
        let Some(Entity::Function(function, space)) = self.entity(name, Sense::Quantity, scope.space) else {
            return Err(self.not_a_path(path));
        };
        let [parameter] = function.parameters.as_slice() else { return Err(self.not_a_path(path)) };
        let bound = self.model.terms.new_bound(&parameter.text);
        let stand_in = self.push(TermKind::Bound(bound), Type::scalar(Dimension::NONE), parameter.span);
        let inner = Scope::of(space).with(&parameter.text, Value::Term(stand_in));
        let point = self.expect(&function.body, &inner, PLACE, "a point of a curve")?;
        Ok((bound, point))
    }

    fn not_a_path(&mut self, path: &Expr) -> Reported {
        self.report(
            Diagnostic::error(codes::WRONG_KIND, "a curve is given by a function of one number")
                .at(path.span, "this is not the name of one")
                .hint("declare it: `fn rail(a) = (radius * cos(a), radius * sin(a), 0)`, then `show curve(rail, …)`"),
        )
    }

    fn camera(&mut self, view: &'t syntax::View, scope: &Scope, span: Span) -> Outcome<()> {
        self.check_clauses(view, CAMERA_CLAUSES, "camera");
        let name = name_of(view, "camera");
        let on = self.frame_clause(view, scope);
        let Some(at) = clause(view, "at") else {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, "where is this camera?")
                    .at(span, "it has no place")
                    .hint("write `camera at (4, -6, 3) [m] looking at world`, or `on` what it moves with"),
            ));
        };
        let place = self.expect(&at.value, scope, PLACE, "where a camera is");
        let target =
            clause(view, "looking at").map(|target| self.place(&target.value, scope, "what a camera looks at"));
        let (on, place, target) = (on?.unwrap_or(WORLD), place?, target.transpose()?);
        let target = target.unwrap_or_else(|| self.origin(on, span));
        let at = if on == WORLD { place } else { self.push(TermKind::PointOf(on, place), PLACE, span) };
        self.model.picture.cameras.push(Camera { name, on, at, target, span });
        Ok(())
    }

    fn light(&mut self, view: &'t syntax::View, scope: &Scope, span: Span) -> Outcome<()> {
        self.check_clauses(view, LIGHT_CLAUSES, "light");
        let name = name_of(view, "light");
        let look = self.look(view, scope);
        let from = match clause(view, "from") {
            Some(from) => self.direction(&from.value, scope)?,
            None => [0.0, 0.0, 1.0],
        };
        let color = look?.color;
        self.model.picture.lights.push(Light { name, from, color, span });
        Ok(())
    }

    fn trace(&mut self, view: &'t syntax::View, scope: &Scope, span: Span) -> Outcome<()> {
        self.check_clauses(view, TRACE_CLAUSES, "trace");
        let Some(subject) = &view.subject else { return Err(Reported) };
        let look = self.look(view, scope);
        let frame = self.frame_named(subject, scope);
        let position = self.place(subject, scope, "what is traced");
        let (position, color) = (position?, look?.color);
        self.model.picture.traces.push(Trace { frame, position, color, span });
        Ok(())
    }

    fn frame_clause(&mut self, view: &syntax::View, scope: &Scope) -> Outcome<Option<FrameId>> {
        clause(view, "on").map(|on| self.frame_of(&on.value, scope)).transpose()
    }

    /// A constant direction: `x`, `y`, `z` or a vector.
    fn direction(&mut self, value: &Expr, scope: &Scope) -> Outcome<[f64; 3]> {
        match &value.kind {
            ExprKind::Name(name) if name == "x" => return Ok([1.0, 0.0, 0.0]),
            ExprKind::Name(name) if name == "y" => return Ok([0.0, 1.0, 0.0]),
            ExprKind::Name(name) if name == "z" => return Ok([0.0, 0.0, 1.0]),
            _ => {}
        }
        let vector = self.vector(value, scope)?;
        let mut direction = [0.0; 3];
        for (to, from) in direction.iter_mut().zip(self.components(vector, value.span)) {
            *to = self.constant(from, value.span)?;
        }
        let size = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size == 0.0 || !size.is_finite() {
            let message = "a direction must not be zero";
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, message)
                    .at(value.span, "this points nowhere")
                    .hint("write `x`, `y`, `z` or a vector such as `(1, 1, 3)`"),
            ));
        }
        Ok(direction.map(|x| x / size))
    }

    /// `color` and `opacity`.
    fn look(&mut self, view: &syntax::View, scope: &Scope) -> Outcome<Look> {
        let color = clause(view, "color").map(|color| self.color(&color.value)).transpose();
        let opacity = match clause(view, "opacity") {
            Some(opacity) => {
                let term = self.expect(&opacity.value, scope, Type::scalar(Dimension::NONE), "an opacity")?;
                let value = self.constant(term, opacity.value.span)?;
                if !(0.0..=1.0).contains(&value) {
                    let message = "an opacity is a number from 0 to 1";
                    let diagnostic =
                        Diagnostic::error(codes::WRONG_KIND, message).at(opacity.value.span, "beyond that");
                    return Err(self.report(diagnostic.hint("0 is invisible, 1 is solid")));
                }
                value
            }
            None => 1.0,
        };
        Ok(Look { color: color?, opacity })
    }

    fn color(&mut self, value: &Expr) -> Outcome<String> {
        let written = print_expression(value);
        let (name, code, message, label) = match &value.kind {
            ExprKind::Text(text) if rgb(text).is_some() => return Ok(text.clone()),
            ExprKind::Text(text) => {
                (text.as_str(), codes::UNKNOWN_COLOR, format!("there is no colour \"{text}\""), "unknown")
            }
            ExprKind::Error => return Err(Reported),
            _ => (written.as_str(), codes::WRONG_KIND, "a colour is a text in quotes".to_string(), "this is a name"),
        };
        let hint = match super::color::nearest(name) {
            _ if code == codes::WRONG_KIND => format!("write `color \"{name}\"`"),
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "a colour is a word such as \"tomato\" or a number such as \"#ff6347\"".to_string(),
        };
        Err(self.report(Diagnostic::error(code, message).at(value.span, label).hint(hint)))
    }

    fn check_clauses(&mut self, view: &syntax::View, known: &[&str], statement: &str) {
        for (at, clause) in view.clauses.iter().enumerate() {
            let word = clause.word.text.as_str();
            if !known.contains(&word) {
                let hint = match base::nearest(word, known.iter().copied()) {
                    _ if word == "colour" => "did you mean `color`?".to_string(),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("`{statement}` knows `{}`", known.join("`, `")),
                };
                self.report(
                    Diagnostic::error(codes::UNKNOWN_CLAUSE, format!("`{statement}` knows no `{word}`"))
                        .at(clause.word.span, "unknown here")
                        .hint(hint),
                );
            } else if let Some(before) = view.clauses[..at].iter().find(|before| before.word.text == word) {
                self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, format!("`{word}` is said twice"))
                        .at(clause.word.span, "again here")
                        .at(before.word.span, "first here"),
                );
            }
        }
    }
}

fn required(argument: &FigureArgument) -> bool {
    !matches!(argument.kind, ArgumentKind::LengthOr(_) | ArgumentKind::NumberOr(_))
}

fn clause<'v>(view: &'v syntax::View, word: &str) -> Option<&'v Clause> {
    view.clauses.iter().find(|clause| clause.word.text == word)
}

fn name_of(view: &syntax::View, otherwise: &str) -> String {
    view.subject.as_ref().map_or(otherwise.to_string(), print_expression)
}

/// What others call a figure.
fn other_name(name: &str) -> Option<&'static str> {
    const OTHER_NAMES: &[(&str, &str)] = &[
        ("ball", "sphere"),
        ("spring", "coil"),
        ("cube", "box"),
        ("floor", "plane"),
        ("vector", "arrow"),
        ("line", "rod"),
        ("donut", "torus"),
        ("disc", "cylinder"),
        ("tube", "curve"),
        ("track", "curve"),
        ("frame", "axes"),
    ];
    OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours)
}
