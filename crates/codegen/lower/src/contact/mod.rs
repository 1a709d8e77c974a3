//! Contact as kernel code: which points touch is data, never a program of its own.
//!
//! A point has a gap, a normal and three rows: along the normal and two tangents. Points that are *held* have forces, found at every evaluation
//! of the derivative so that their rows keep to zero; that is smooth, so steps keep their order. Where a gap closes, a force ends, or
//! slipping begins or ends, the step is cut like that of a switch, and what touches there is looked at anew: `resolve.rs`.

mod accumulate;
mod answers;
mod derivative;
mod detect;
mod flurry;
mod frames;
mod impact;
mod islands;
mod jam;
mod near;
mod notes;
mod observe;
mod project;
mod resolve;
mod rows;
mod search;
mod single;
mod slack;
mod slopes;
mod stepping;
mod sunk;
mod sweeps;
mod tip;

use base::Hull;
use expr::{Arena, Expr, SymbolId};
use kernel::{ArrayId, FunctionId, ModuleBuilder, protocol};
use numerics::IntegratorArrays;
use numerics::contact::{
    AS_THE_WORLD, Bodies, Coulomb, Geometry, HullTable, MOVES, Pairs, Points, STILL, ShapeKind, Shapes, Solver,
};
use program::{Contacts, SIZES};

use crate::lower::Lowering;

use derivative::Holding;
use flurry::Flurry;
use frames::Frames;
use near::Near;
use notes::Notes;
use observe::Beginning;
use rows::Rows;
use search::Looking;
use slack::Calm;
use slopes::{SlopeInputs, Slopes};
use stepping::Stepping;

/// Held points are of one of these states.
pub(super) const OPEN: i64 = 0;
pub(super) const SLIDING: i64 = 2;
pub(super) const STICKING: i64 = 3;

/// No more points than these can touch at once where forces are found exactly, since all of them answer to one another.
const MOST_POINTS: usize = 256;
/// In steps of a fixed length, axes along which shapes are apart as well but for this part of the smaller one are as good as the best.
const SLOP: f64 = 5e-3;
/// So many points touch at once for each shape, in a crowd.
const POINTS_OF_SHAPE: usize = 12;
/// And so many besides.
const POINTS_BESIDES: usize = 32;
/// So many points of a ring touch something that is not a plane or a ball, at most.
const POINTS_OF_RING: usize = 16;
/// So many points of a hull touch a curved surface, at most.
const POINTS_OF_HULL: usize = 48;
/// So many points are added to a rim that things tip over, and kept, at most.
const ADDED_POINTS: usize = 4;

/// What does not depend on the integral: arrays, tables, geometry, and the law of contact.
#[derive(Clone, Copy)]
pub(crate) struct Touching {
    pub frames: usize,
    /// Whether things can stand on rims.
    pub has_circles: bool,
    /// Pairs of shapes, and pairs of things.
    pub shape_pairs: usize,
    pub thing_pairs: usize,
    pub capacity: usize,
    pub bodies: Bodies,
    pub points: Points,
    pub geometry: Geometry,
    pub coulomb: Coulomb,
    pub solver: Solver,
    pub tables: Tables,
    pub near: Near,
    /// How many shapes there are, with their sizes and places.
    pub shapes: usize,
    pub sizes: ArrayId,
    pub places: ArrayId,
    /// How far each shape reaches from the origin of its frame; half-spaces reach nowhere.
    pub reach: ArrayId,
    /// What part of each size, as it is written, is measured from the centre.
    pub halves: ArrayId,
    /// The restitution of each point of a problem.
    pub bounces: ArrayId,
    pub arrays: Arrays,
    pub notes: Notes,
    pub flurry: Flurry,
    /// What curved surfaces are, by shape; and whether anything is not convex.
    pub field: Option<FunctionId>,
    pub has_bent: bool,
    /// Whether there are solids over curved surfaces, which are looked at once more at the end of each step.
    pub has_hills: bool,
    /// Where the program has derivatives.
    slopes: Option<SlopeInputs>,
}

/// What never changes.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    /// Of each pair of shapes: the two frames, the two shapes, and the pair of things.
    pub frame: [ArrayId; 2],
    pub shape: [ArrayId; 2],
    pub of: ArrayId,
    /// Of each shape: its frame.
    pub shape_frame: ArrayId,
    /// Of each frame: whether anything moves where it is pushed.
    pub gives_way: ArrayId,
    /// Of each pair of things: whether impacts happen together.
    pub together: ArrayId,
}

/// What is remembered, and room for what is being found.
#[derive(Clone, Copy)]
pub(crate) struct Arrays {
    /// Forces and moments on the frames; what they add is looked for with `push`.
    pub wrench: ArrayId,
    pub push: ArrayId,
    /// What a push adds to accelerations of frames, then to rates of states.
    pub response: ArrayId,
    pub acceleration: ArrayId,
    /// A change of speeds, and what it adds to the rates of coordinates.
    pub lifted: ArrayId,
    pub lift: ArrayId,
    /// Sizes, places, laws.
    pub given: ArrayId,
    pub restitution: ArrayId,
    pub friction: ArrayId,
    pub side: ArrayId,
    /// How many points are held, the state of each, along which it slips (in the world), and whether it has only begun to.
    pub held: ArrayId,
    pub state: ArrayId,
    pub heading: ArrayId,
    pub starting: ArrayId,
    /// How far each may be beyond the ends of its feature, relative to the smaller shape: more each time that it leaves and is found again.
    pub beyond: ArrayId,
    /// By how much forces do not hold what is held where the derivative was taken last, not positive if they do, and one of its points.
    pub unheld: ArrayId,
    pub unheld_slot: ArrayId,
    /// The largest speed of a point where something happened.
    pub fastest: ArrayId,
    /// The largest speed of a held point where it was moved back last, relative to how fast things move there.
    pub leap: ArrayId,
    /// How many points touch without being held; they stand behind those that are.
    pub left: ArrayId,
    /// Whether those of them that have sunk in are moved out where the state is moved onto what touches.
    pub sinking: ArrayId,
    /// Of each of these: whether it moves away, from which gap, and when it is back where that is known.
    pub parting: ArrayId,
    pub since: ArrayId,
    pub lands: ArrayId,
    /// Of each point: normal and tangents, arms in both frames, speeds along these, what motion alone adds to their rates.
    pub basis: ArrayId,
    pub arms: ArrayId,
    pub speed: ArrayId,
    pub bias: ArrayId,
    /// How rows answer to forces on rows, what they are without, and the force of each.
    pub matrix: ArrayId,
    pub free: ArrayId,
    pub force: ArrayId,
    /// What a unit force on each row adds to the rates of the states.
    pub row_rates: ArrayId,
    /// The island of each point, negative for those that are left out; and the points that a problem is about.
    pub island: ArrayId,
    pub chosen: ArrayId,
    pub seen: ArrayId,
}

/// Which shapes may touch.
struct Layout {
    /// Pairs of shapes, each with the pair of things that it belongs to.
    pairs: Vec<ShapePair>,
    kinds: Vec<ShapeKind>,
}

struct ShapePair {
    shapes: [usize; 2],
    of: usize,
}

impl Layout {
    fn new(contacts: &Contacts) -> Layout {
        let of_thing = |thing: usize| {
            let shapes = contacts.shapes.iter().enumerate();
            shapes.filter(move |&(_, &(owner, _))| owner == thing).map(|(at, _)| at)
        };
        let pairs = contacts.pairs.iter().enumerate().flat_map(|(of, &([a, b], _))| {
            of_thing(a).flat_map(move |first| of_thing(b).map(move |second| ShapePair { shapes: [first, second], of }))
        });
        Layout { pairs: pairs.collect(), kinds: contacts.shapes.iter().map(|&(_, solid)| kind(solid)).collect() }
    }

    /// Room for as many points as can touch at once.
    fn capacity(&self, steps: bool) -> usize {
        let most = self.pairs.iter().map(|pair| most_points(pair.shapes.map(|shape| self.kinds[shape])));
        let crowd = POINTS_BESIDES + POINTS_OF_SHAPE * self.kinds.len();
        most.sum::<usize>().min(crowd).clamp(1, if steps { crowd } else { MOST_POINTS })
    }

    fn tables(&self, module: &mut ModuleBuilder, contacts: &Contacts, arena: &Arena) -> Tables {
        let frame_of = |shape: usize| contacts.things[contacts.shapes[shape].0].1 as i64;
        let mut table = |name: &str, note: &str, value: &dyn Fn(&ShapePair) -> i64| {
            let values: Vec<i64> = self.pairs.iter().map(value).collect();
            module.integers(name, &values, note)
        };
        let frame = [
            table("contact_first_frame", "of each pair of shapes", &|pair| frame_of(pair.shapes[0])),
            table("contact_second_frame", "of each pair of shapes", &|pair| frame_of(pair.shapes[1])),
        ];
        let shape = [
            table("contact_first_shape", "of each pair of shapes", &|pair| pair.shapes[0] as i64),
            table("contact_second_shape", "of each pair of shapes", &|pair| pair.shapes[1] as i64),
        ];
        let of = table("contact_of", "the pair of things that a pair of shapes belongs to", &|pair| pair.of as i64);
        let together: Vec<i64> = contacts.pairs.iter().map(|&(_, together)| i64::from(together)).collect();
        let together = module.integers("contact_together", &together, "whether impacts happen all at once");
        let shape_frame: Vec<i64> = (0..contacts.shapes.len()).map(frame_of).collect();
        let shape_frame = module.integers("contact_shape_frame", &shape_frame, "the frame of each shape");
        let groups = contacts.answering(arena).groups;
        let frames = contacts.wrenches.len() / 6;
        let gives_way = (0..frames).map(|frame| i64::from(groups.iter().any(|group| group.contains(&frame))));
        let gives_way = gives_way.collect::<Vec<i64>>();
        let gives_way =
            module.integers("contact_gives_way", &gives_way, "whether anything moves where a frame is pushed");
        Tables { frame, shape, of, shape_frame, gives_way, together }
    }
}

fn law_arrays(module: &mut ModuleBuilder, capacity: usize) -> Coulomb {
    let rows = 3 * capacity;
    let mut reals = |name: &str, length, note: &str| module.real_array(&format!("contact_law_{name}"), length, note);
    let answers = reals("W", rows * rows, "how rows answer to forces");
    let b = reals("b", rows, "what rows are without");
    let noise = reals("noise", 1, "what rows may be off by");
    let friction = reals("friction", capacity, "of each point");
    let direction = reals("direction", 2 * capacity, "in which each point slips");
    let (force, result) = (reals("force", rows, "on each row"), reals("result", rows, "what rows are with forces"));
    let mut integers = |name: &str, note: &str| module.integer_array(&format!("contact_law_{name}"), capacity, note);
    let slips = integers("slips", "whether the direction of slip is known");
    let state = integers("state", "0 open, 1 touching, 2 sliding, 3 sticking, 4 at the edge of its cone");
    Coulomb { capacity, W: answers, b, noise, friction, slips, direction, force, result, state }
}

/// Whether a frame never moves, so that all that is known of it is a number, and whether it is where the world is.
fn stillness(contacts: &Contacts, arena: &Arena, frame: usize) -> i64 {
    let frames = contacts.wrenches.len() / 6;
    let (poses, twists) = contacts.places.results.split_at(12 * frames);
    let (pose, twist) = (&poses[12 * frame..][..12], &twists[6 * frame..][..6]);
    let acceleration = &contacts.accelerations.results[6 * frame..][..6];
    let is_zero = |&part: &Expr| arena.is_zero(part);
    if !arena.symbols_in(pose).is_empty() || !twist.iter().chain(acceleration).all(is_zero) {
        return MOVES;
    }
    let number = |part: &Expr| arena.as_number(*part).map(|number| number.value());
    let world = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let is_world = pose.iter().zip(world).all(|(part, at)| number(part) == Some(at));
    if is_world { AS_THE_WORLD } else { STILL }
}

/// How two solids touch, in words; nothing where that is not known.
pub fn how_they_touch(first: &str, second: &str) -> Option<&'static str> {
    numerics::contact::how(kind(first), kind(second))
}

/// For how many points at once a program makes room.
pub fn most_points_of(contacts: &Contacts) -> usize {
    Layout::new(contacts).capacity(contacts.steps)
}

/// What the geometry makes of a solid; what it does not know lies behind a plane.
fn kind(solid: &str) -> ShapeKind {
    ShapeKind::named(solid).unwrap_or(ShapeKind::HalfSpace)
}

fn hull_table(Hull { corners, faces }: Hull) -> HullTable {
    HullTable { vertices: corners, faces }
}

/// How many points two shapes can touch in.
fn most_points(kinds: [ShapeKind; 2]) -> usize {
    let corners = |kind: ShapeKind| match kind {
        ShapeKind::Sphere | ShapeKind::Ellipsoid | ShapeKind::Torus => 1,
        ShapeKind::Rod | ShapeKind::Capsule => 2,
        ShapeKind::HalfSpace | ShapeKind::Surface => usize::MAX,
        ShapeKind::Box => 8,
        _ => 16,
    };
    // Over a surface each part of a solid may have a nearest point: its vertices, edges and faces, or circles with several on each.
    if kinds.contains(&ShapeKind::Surface) {
        let other = if kinds[0] == ShapeKind::Surface { kinds[1] } else { kinds[0] };
        return match other {
            ShapeKind::Sphere => 1,
            ShapeKind::Rod | ShapeKind::Capsule => 4,
            ShapeKind::Ellipsoid => 6,
            ShapeKind::Box => 26,
            ShapeKind::Hull => POINTS_OF_HULL,
            _ => POINTS_OF_RING,
        };
    }
    // A ring may lie on several edges, and hook over others.
    let is_ring = kinds.contains(&ShapeKind::Torus);
    if is_ring && !kinds.iter().any(|kind| matches!(kind, ShapeKind::HalfSpace | ShapeKind::Sphere)) {
        return POINTS_OF_RING + ADDED_POINTS;
    }
    let added = if kinds.iter().any(|kind| kind.has_circles()) { ADDED_POINTS } else { 0 };
    kinds.map(corners).into_iter().min().unwrap_or(1) + added
}

/// What the code of runs calls.
#[derive(Clone, Copy)]
pub(crate) struct ContactFunctions {
    /// `(t) -> integer`: what touches where the integration begins.
    pub start: FunctionId,
    /// `(t) -> integer`: what is known of pairs at the sampled state.
    pub observe: FunctionId,
    /// Where what happens is located, and not gathered in steps.
    pub events: Option<ContactEvents>,
}

/// What the code of switches calls.
#[derive(Clone, Copy)]
pub(crate) struct ContactEvents {
    /// `(begin, end) -> (integer, real)`: when the first thing happens in the last step; infinite if nothing does.
    pub search: FunctionId,
    /// `(t) -> integer`: lets that happen, at the state.
    pub resolve: FunctionId,
    /// `(t) -> integer`: remembers what has to be of an accepted step.
    pub commit: FunctionId,
}

/// How frames and points move, and how forces of contact come about.
#[derive(Clone, Copy)]
pub(crate) struct Contacting {
    frames: Frames,
    rows: Rows,
    pub law: Law,
}

#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "ids that are copied a few times for each scene")]
pub(crate) enum Law {
    Exact(Exact),
    /// In steps of a fixed length.
    Steps(Stepping),
}

/// The derivative with forces of contact, and what moves a state onto what touches.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    pub holding: Holding,
    /// `(t) -> integer`: negative if something was moved.
    pub project: FunctionId,
    /// What has happened to held points, and what is noted of it at the stages of steps.
    strain: FunctionId,
    calm: Option<Calm>,
    /// Where the program has derivatives.
    slopes: Option<Slopes>,
}

impl<'p> Lowering<'p> {
    /// What an integrator needs that locates what happens.
    pub fn contacting(
        &mut self,
        integrator: &IntegratorArrays,
        settled: Option<ArrayId>,
        derivative: FunctionId,
    ) -> Option<(Contacting, Exact)> {
        let (contacts, touching) = (self.program.contacts.as_ref().filter(|contacts| !contacts.steps)?, self.touching?);
        let frames = self.contact_frames(contacts, &touching, integrator, settled);
        let rows = self.contact_rows(&touching, frames);
        let strain = self.contact_strain(&touching, integrator);
        let calm = self.contact_calm(&touching, strain);
        let slopes = self.contact_slopes(contacts, &touching, (rows, settled), integrator);
        let force_slopes = slopes.map(|slopes| self.force_slopes(slopes, &touching, (frames, rows)));
        let beside = (calm, force_slopes);
        let holding = self.contact_derivative(&touching, (frames, rows), beside, derivative, integrator);
        let project = self.contact_projection(&touching, frames, rows, holding, integrator);
        let exact = Exact { holding, project, strain, calm, slopes };
        Some((Contacting { frames, rows, law: Law::Exact(exact) }, exact))
    }

    /// The function that takes a step of a fixed length, where the author chose those. `constraints` are a point and what moves it onto them.
    pub fn contact_steps(
        &mut self,
        integrator: &IntegratorArrays,
        settled: Option<ArrayId>,
        derivative: FunctionId,
        constraints: Option<(ArrayId, FunctionId)>,
    ) -> Option<(Contacting, FunctionId)> {
        let (contacts, touching) = (self.program.contacts.as_ref().filter(|contacts| contacts.steps)?, self.touching?);
        let frames = self.contact_frames(contacts, &touching, integrator, settled);
        let rows = self.contact_rows(&touching, frames);
        let (take, stepping) = self.contact_stepping((frames, rows), derivative, constraints, integrator);
        Some((Contacting { frames, rows, law: Law::Steps(stepping) }, take))
    }

    /// What happens to what touches, as a run wants it.
    pub fn contact_functions(
        &mut self,
        contacting: Contacting,
        integrator: &IntegratorArrays,
    ) -> Option<ContactFunctions> {
        let touching = self.touching?;
        let Contacting { frames, rows, law } = contacting;
        let Exact { holding, project, strain, calm, slopes } = match law {
            Law::Exact(exact) => exact,
            Law::Steps(stepping) => {
                let start = self.contact_start(&touching, frames, Beginning::Stepping, integrator);
                let observe = self.observe_steps(&touching, (frames, rows), stepping, integrator);
                return Some(ContactFunctions { start, observe, events: None });
            }
        };
        let sample = self.module.module().find_function(protocol::SAMPLE)?;
        let event = self.declare_contact_event();
        let slack = self.contact_slack(&touching, event, (frames, rows, holding), (sample, strain), integrator);
        let looking = Looking { sample, slack, event, calm };
        let search = self.contact_search(&touching, frames, rows, looking, integrator);
        let detect = self.contact_detection(&touching, integrator);
        let jumping = slopes
            .map(|slopes| self.contact_jumping(slopes, &touching, (frames, holding.derivative), event, integrator));
        let impacts = self.contact_impacts(&touching, (frames, rows), holding, jumping, integrator);
        let sunk = self.contact_sunk(&touching);
        let found = [detect, impacts, project, sunk];
        let resolve = self.contact_resolution(&touching, (event, jumping), (frames, rows, holding), found, integrator);
        let commit = self.contact_commit(&touching, (frames, rows, holding), (sunk, calm), integrator);
        let start = self.contact_start(
            &touching,
            frames,
            Beginning::Resolved(resolve, event, jumping.map(|jumping| jumping.begins())),
            integrator,
        );
        let observe = self.contact_observation(&touching, frames, holding, integrator);
        Some(ContactFunctions { start, observe, events: Some(ContactEvents { search, resolve, commit }) })
    }

    // Long: one line for each array, with what it holds.
    fn contact_arrays(&mut self, contacts: &Contacts, capacity: usize, pairs: usize, states: usize) -> Arrays {
        let module = &mut self.module;
        let (wrenches, rows) = (contacts.wrenches.len(), 3 * capacity);
        let answering = if contacts.steps { 1 } else { rows };
        let mut reals =
            |name: &str, length: usize, note: &str| module.real_array(&format!("contact_{name}"), length, note);
        let wrench = reals("wrench", wrenches, "forces and moments on frames");
        let push = reals("push", wrenches, "forces and moments whose effect is looked for");
        let response = reals("response", wrenches + states, "what a push adds to accelerations, then to rates");
        let accelerations = contacts.accelerations.results.len();
        let acceleration = reals("acceleration", accelerations, "of frames, linear and angular, then rates of states");
        let lifted = reals("lifted", contacts.lifted.len(), "a change of speeds");
        let lift = reals("lift", contacts.lift.results.len(), "what it adds to the rates of coordinates");
        let given =
            reals("given", contacts.given.results.len(), "sizes and places of shapes, restitution and friction");
        let side = reals("side", pairs, "on which side of a plane the other shape is");
        let restitution = reals("restitution", contacts.pairs.len(), "of each pair");
        let friction = reals("friction", contacts.pairs.len(), "of each pair");
        let heading = reals("heading", rows, "along which each held point slips");
        let unheld = reals("unheld", 1, "by how much forces do not hold what is held");
        let beyond = reals("beyond", capacity, "how far each may be beyond the ends of its feature");
        let basis = reals("basis", 3 * rows, "normal and tangents of each point");
        let arms = reals("arms", 2 * rows, "from both origins to each point");
        let speed = reals("speed", rows, "of each row");
        let bias = reals("bias", rows, "what motion alone adds to the rate of each row");
        let matrix = reals("matrix", answering * answering, "how rows answer to forces on rows");
        let free = reals("free", rows, "the rate of each row without forces of contact");
        let force = reals("force", rows, "on each row");
        let row_rates =
            reals("row_rates", answering * states, "what a unit force on each row adds to the rates of states");
        let since = reals("parted_from", capacity, "the gap from which a point moves away");
        let lands = reals("lands", capacity, "when it is back, where that is known");
        let leap = reals("leap", 1, "the largest speed of a held point at the end of a step");
        let fastest = reals("fastest", 1, "the largest speed of a point where something happened");
        let seen = reals("seen", contacts.seen.len(), "gap, force, state, impulse and impacts of each pair");
        let mut integers =
            |name: &str, length: usize, note: &str| module.integer_array(&format!("contact_{name}"), length, note);
        Arrays {
            wrench,
            push,
            response,
            acceleration,
            lifted,
            lift,
            given,
            restitution,
            friction,
            side,
            held: integers("held", 1, "how many points are held"),
            unheld_slot: integers("unheld_slot", 1, "one of what forces do not hold"),
            state: integers("state", capacity, "2 sliding, 3 sticking"),
            heading,
            beyond,
            unheld,
            starting: integers("starting", capacity, "whether a point has only begun to slip"),
            parting: integers("parting", capacity, "whether a point that is not held moves away"),
            since,
            fastest,
            leap,
            lands,
            left: integers("left", 1, "how many points touch without being held"),
            sinking: integers("sinking", 1, "whether those of them that have sunk in are moved out"),
            basis,
            arms,
            speed,
            bias,
            matrix,
            free,
            force,
            row_rates,
            island: integers("island", capacity, "the island of each point"),
            chosen: integers("chosen", capacity, "the points that a problem is about"),
            seen,
        }
    }

    /// Arrays, tables and templates, and where all functions find what contacts exert.
    // Long: declares what contact consists of, in the order in which its functions call one another.
    pub fn declare_contacts(&mut self) {
        let Some(contacts) = &self.program.contacts else { return };
        let layout = Layout::new(contacts);
        let frames = contacts.wrenches.len() / 6;
        let (states, capacity) = (self.plain_states(), layout.capacity(contacts.steps));
        let arrays = self.contact_arrays(contacts, capacity, layout.pairs.len(), states);
        for (symbols, array) in [
            (&contacts.wrenches, arrays.wrench),
            (&contacts.seen, arrays.seen),
            (&contacts.push, arrays.push),
            (&contacts.lifted, arrays.lifted),
        ] {
            let place = |(at, &symbol): (usize, &SymbolId)| (symbol, array.at(at));
            self.inputs.extend(symbols.iter().enumerate().map(place));
        }
        let slopes = self.declare_slopes(contacts);
        let field = self.declare_field(contacts);
        let still: Vec<i64> = (0..frames).map(|frame| stillness(contacts, &self.program.arena, frame)).collect();
        let module = &mut self.module;
        let shapes = contacts.shapes.len();
        let bodies = Bodies {
            count: frames,
            pose: module.real_array("contact_pose", 12 * frames, "origin and axes of each frame that bears shapes"),
            twist: module.real_array("contact_twist", 6 * frames, "velocity and angular velocity of each"),
            still: module.integers("contact_still", &still, "1 what never moves, 2 and has the pose of the world"),
        };
        let sizes = module.real_array("contact_sizes", SIZES * shapes, "of each shape");
        let places =
            module.real_array("contact_shape_places", 12 * shapes, "origin and axes of each shape in its frame");
        let reach = module.real_array(
            "contact_reach",
            shapes,
            "from the origin of its frame to the farthest point of each shape",
        );
        let halves: Vec<f64> = contacts.shapes.iter().flat_map(|&(_, solid)| kind(solid).halves()).collect();
        let halves =
            module.reals("contact_halves", &halves, "what part of a size as it is written is measured from the centre");
        let table = Shapes {
            kinds: contacts.shapes.iter().map(|&(_, solid)| kind(solid)).collect(),
            frames: contacts.shapes.iter().map(|&(thing, _)| contacts.things[thing].1).collect(),
            sizes,
            places,
            hulls: contacts.hulls.iter().map(|hull| hull.clone().map(hull_table)).collect(),
            field,
        };
        let pairs = Pairs { shapes: layout.pairs.iter().map(|pair| pair.shapes).collect(), side: arrays.side };
        let points = Points::declare(module, capacity);
        let geometry =
            numerics::contact::geometry_with(module, bodies, &table, &pairs, points, contacts.steps.then_some(SLOP));
        // In steps of a fixed length no problem is posed of points all at once.
        let posed = if contacts.steps { 1 } else { capacity };
        let coulomb = law_arrays(module, posed);
        let bounces = module.real_array("contact_law_restitution", posed, "of each point of a problem");
        let solver = numerics::contact::coulomb(module, "contact_law", &coulomb, bounces);
        let tables = layout.tables(module, contacts, &self.program.arena);
        let near = near::nearness(module, &layout, tables, geometry);
        let notes = Notes::declare(module, contacts.pairs.len());
        let flurry = Flurry::declare(module);
        self.touching = Some(Touching {
            frames,
            has_circles: layout.kinds.iter().any(|kind| kind.has_circles()),
            shape_pairs: layout.pairs.len(),
            thing_pairs: contacts.pairs.len(),
            capacity,
            bodies,
            points,
            geometry,
            coulomb,
            solver,
            tables,
            near,
            sizes,
            places,
            reach,
            halves,
            bounces,
            shapes,
            arrays,
            notes,
            flurry,
            field,
            has_hills: layout.pairs.iter().any(|pair| {
                let kinds = pair.shapes.map(|shape| layout.kinds[shape]);
                kinds.contains(&ShapeKind::Surface) && !kinds.contains(&ShapeKind::Sphere)
            }),
            has_bent: layout.kinds.iter().any(|kind| matches!(kind, ShapeKind::Torus | ShapeKind::Surface)),
            slopes,
        });
    }
}
