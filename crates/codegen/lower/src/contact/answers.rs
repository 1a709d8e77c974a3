//! How frames answer to pushes on one another, in blocks: a free body answers to pushes on itself alone, so that memory grows with the number of
//! frames and not with its square.
//!
//! Frames of different groups do not answer to one another, so one response tells of a push on a frame of each group at once.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use program::Answering;

use super::Touching;
use super::frames::Frames;
use crate::lower::Lowering;
use crate::search::attempt;

/// Tables and blocks.
#[derive(Clone, Copy)]
pub(crate) struct Answers {
    /// Of each frame: its group, or −1 where nothing moves it, and its place among the frames of the group.
    pub group: ArrayId,
    place: ArrayId,
    /// Of each frame: where the block of its group begins, and how long its rows are.
    first: ArrayId,
    width: ArrayId,
    /// Of each frame: where the frames of its group begin, and how many there are.
    members_first: ArrayId,
    members_count: ArrayId,
    members: ArrayId,
    blocks: ArrayId,
    /// What each part of a push on the frame at each place of its group adds to the rates of states; and the group of each state.
    rates: ArrayId,
    state_group: ArrayId,
    states: usize,
    /// How many frames the largest group has.
    pub most: usize,
    /// Whether a group has several frames.
    pub is_joined: bool,
    /// `(t) -> integer`: finds all blocks, at the stage.
    pub find: FunctionId,
}

impl<'p> Lowering<'p> {
    pub fn contact_answers(&mut self, touching: &Touching, frames: Frames) -> Answers {
        let contacts = self.program.contacts.as_ref().expect("something may touch");
        let answering = contacts.answering(&self.program.arena);
        let most = answering.groups.iter().map(Vec::len).max().unwrap_or(0);
        let find = self.module.declare("contact_answers", &[("t", Real)], &[Integer]);
        self.module.describe(find, "How frames answer to pushes on one another.");
        let answers = tables(&mut self.module, &answering, touching.frames, find);
        let states = answers.states;
        let (arrays, count) = (touching.arrays, touching.frames);
        self.module.define(find, |f| {
            let [t] = f.parameters();
            f.for_each("k", 0, most, |f, k| {
                f.for_each("axis", 0, 6, |f, axis| {
                    f.for_each("i", 0, 6 * count, |f, i| f.store(arrays.push, i, 0.0));
                    f.for_each("frame", 0, count, |f, frame| {
                        let pushed = answers.place.at(frame).eq_(k).and(answers.group.at(frame).ge(0));
                        f.if_(pushed, |f| f.store(arrays.push, frame * 6 + axis, 1.0));
                    });
                    attempt(f, frames.respond, t);
                    f.for_each("i", 0, states, |f, i| {
                        f.store(answers.rates, (k * 6 + axis) * states + i, arrays.response.at(i + 6 * count as i64));
                    });
                    f.for_each("frame", 0, count, |f, frame| {
                        f.if_(k.lt(answers.members_count.at(frame)), |f| {
                            let first = f.integer("first", answers.entry(frame, k) + axis);
                            let width = f.integer("width", answers.width.at(frame));
                            f.for_each("a", 0, 6, |f, a| {
                                f.store(answers.blocks, first + a * width, arrays.response.at(frame * 6 + a));
                            });
                        });
                    });
                });
            });
            f.return_(protocol::DONE);
        });
        answers
    }
}

fn tables(module: &mut ModuleBuilder, answering: &Answering, frames: usize, find: FunctionId) -> Answers {
    let groups = &answering.groups;
    let most = groups.iter().map(Vec::len).max().unwrap_or(0);
    let of_states: Vec<i64> = answering.states.iter().map(|group| group.map_or(-1, |group| group as i64)).collect();
    let states = of_states.len();
    let mut rows = vec![Row { group: -1, ..Row::default() }; frames];
    let (mut block, mut members) = (0, Vec::new());
    for (number, group) in groups.iter().enumerate() {
        for (place, &frame) in group.iter().enumerate() {
            rows[frame] = Row { group: number, place, first: block, members: members.len(), count: group.len() }.into();
        }
        members.extend(group.iter().map(|&frame| frame as i64));
        block += 36 * group.len() * group.len();
    }
    members.push(0);
    let mut table = |name: &str, note: &str, value: &dyn Fn(&Row<i64>) -> i64| {
        let values: Vec<i64> = rows.iter().map(value).collect();
        module.integers(&format!("contact_{name}"), &values, note)
    };
    Answers {
        group: table("group", "of frames that answer to pushes on one another; -1 for none", &|row| row.group),
        place: table("group_place", "of each frame in its group", &|row| row.place),
        first: table("block_first", "where the block of each frame's group begins", &|row| row.first),
        width: table("block_width", "how long its rows are", &|row| 6 * row.count),
        members_first: table("members_first", "where the frames of each frame's group begin", &|row| row.members),
        members_count: table("members_count", "how many there are", &|row| row.count),
        members: module.integers("contact_members", &members, "frames, group by group"),
        blocks: module.real_array("contact_blocks", block.max(1), "how frames answer to pushes, group by group"),
        rates: module.real_array(
            "contact_block_rates",
            (6 * most * states).max(1),
            "what pushes add to rates of states",
        ),
        state_group: module.integers("contact_state_group", &of_states, "of each state; -1 for none"),
        states,
        most,
        is_joined: groups.iter().any(|group| group.len() > 1),
        find,
    }
}

/// What the tables say of a frame.
#[derive(Clone, Copy, Default)]
struct Row<T = i64> {
    group: T,
    place: T,
    first: T,
    members: T,
    count: T,
}

impl From<Row<usize>> for Row<i64> {
    fn from(row: Row<usize>) -> Row<i64> {
        let [group, place, first, members, count] =
            [row.group, row.place, row.first, row.members, row.count].map(|value| value as i64);
        Row { group, place, first, members, count }
    }
}

impl Answers {
    /// Where it stands how a frame answers to the first part of a push on the frame at some place of its group.
    fn entry(&self, to: LocalId, from: impl Into<Expression>) -> Expression {
        self.first.at(to) + self.place.at(to) * 6 * self.width.at(to) + from.into() * 6
    }

    /// What a push on one frame adds to a number of the twist of another of its group.
    fn answer(&self, [to, from]: [LocalId; 2], axis: impl Into<Expression>, push: &[Expression; 6]) -> Expression {
        let first = self.entry(to, self.place.at(from)) + self.width.at(to) * axis.into();
        let parts = push.iter().enumerate().map(|(b, part)| self.blocks.at(first.clone() + b) * part.clone());
        parts.reduce(|sum, part| sum + part).expect("six parts")
    }

    /// Whether two frames answer to pushes on one another.
    fn joined(&self, one: LocalId, other: LocalId) -> Expression {
        self.group.at(one).eq_(self.group.at(other)).and(self.group.at(one).ge(0))
    }

    /// Adds what pushes on two frames do to both into `effect`, six numbers for each.
    pub fn both(
        &self,
        f: &mut FunctionBuilder,
        frames: [LocalId; 2],
        pushes: &[[Expression; 6]; 2],
        effect: ArrayId,
        places: [LocalId; 2],
    ) {
        for (&to, &place) in frames.iter().zip(&places) {
            f.for_each("a", 0, 6, |f, a| {
                let sum = f.real("sum", 0.0);
                for (&from, push) in frames.iter().zip(pushes) {
                    let answer = self.answer([to, from], a, push);
                    f.if_(self.joined(to, from), |f| f.increase(sum, answer));
                }
                f.store(effect, place + a, sum);
            });
        }
    }

    /// Adds what pushes on two frames do to all others into their twists.
    pub fn others(&self, f: &mut FunctionBuilder, frames: [LocalId; 2], pushes: &[[Expression; 6]; 2], twist: ArrayId) {
        for (&from, push) in frames.iter().zip(pushes) {
            self.each_member(f, from, |f, to| {
                f.if_(to.ne_(frames[0]).and(to.ne_(frames[1])), |f| self.add(f, [to, from], push, twist));
            });
        }
    }

    /// Adds what pushes on two frames do to all frames into their accelerations.
    pub fn all(&self, f: &mut FunctionBuilder, frames: [LocalId; 2], pushes: &[[Expression; 6]; 2], into: ArrayId) {
        for (&from, push) in frames.iter().zip(pushes) {
            self.each_member(f, from, |f, to| self.add(f, [to, from], push, into));
        }
    }

    /// Puts what pushes on two frames add to the rates of the states where they belong.
    pub fn rates(
        &self,
        f: &mut FunctionBuilder,
        frames: [LocalId; 2],
        pushes: &[[Expression; 6]; 2],
        (into, first): (ArrayId, LocalId),
    ) {
        f.for_each("i", 0, self.states, |f, i| {
            let sum = f.real("sum", 0.0);
            for (&from, push) in frames.iter().zip(pushes) {
                f.if_(self.state_group.at(i).eq_(self.group.at(from)).and(self.group.at(from).ge(0)), |f| {
                    let begin = f.integer("begin", self.place.at(from) * (6 * self.states) + i);
                    for (part, axis) in push.iter().zip(0..) {
                        f.increase(sum, self.rates.at(begin + axis * self.states as i64) * part.clone());
                    }
                });
            }
            f.store(into, first + i, sum);
        });
    }

    fn each_member(&self, f: &mut FunctionBuilder, from: LocalId, body: impl Fn(&mut FunctionBuilder, LocalId)) {
        let first = f.integer("first", self.members_first.at(from));
        f.for_each("k", first, first + self.members_count.at(from), |f, k| {
            let to = f.integer("to", self.members.at(k));
            body(f, to);
        });
    }

    fn add(&self, f: &mut FunctionBuilder, [to, from]: [LocalId; 2], push: &[Expression; 6], into: ArrayId) {
        f.for_each("a", 0, 6, |f, a| {
            let place = f.integer("place", to * 6 + a);
            f.store(into, place, into.at(place) + self.answer([to, from], a, push));
        });
    }
}
