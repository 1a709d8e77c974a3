//! What has happened to a unit so far, as numbers: each event or sample is a node with the one before it, so a program that keeps the number of a node in its
//! memory can be saved, restored and repeated, and the unit follows.

use rustc_hash::FxHashMap;

/// The place of a node among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub usize);

pub struct Node {
    /// None for a start.
    pub before: Option<NodeId>,
    /// What was chosen before the run: parameters, and starts of states.
    pub given: Vec<f64>,
    pub time: f64,
    /// Just before the event; at a sample there are none.
    pub states: Vec<f64>,
    /// From the sample on, or at the event.
    pub inputs: Vec<f64>,
    pub known: Known,
}

/// What the library said there.
#[derive(Clone, Default)]
pub struct Known {
    /// After the event.
    pub states: Vec<f64>,
    /// The signs of the indicators after it.
    pub sides: Vec<f64>,
    pub next: Option<f64>,
    /// At the end of the step that begins here: the instant, and the outputs.
    pub outputs: Option<(f64, Vec<f64>)>,
}

/// All nodes. The first is nobody's, so that zero can mean the start.
pub struct Nodes {
    all: Vec<Node>,
    found: FxHashMap<Vec<u64>, NodeId>,
}

impl Nodes {
    pub fn new() -> Nodes {
        Nodes { all: Vec::new(), found: FxHashMap::default() }
    }

    /// The node that a token names.
    pub fn named(&self, token: f64) -> Option<NodeId> {
        let place = token.round();
        (place >= 1.0 && place <= self.all.len() as f64).then(|| NodeId(place as usize - 1))
    }

    pub fn token(node: NodeId) -> f64 {
        node.0 as f64 + 1.0
    }

    pub fn get(&self, node: NodeId) -> &Node {
        &self.all[node.0]
    }

    pub fn known_mut(&mut self, node: NodeId) -> &mut Known {
        &mut self.all[node.0].known
    }

    /// A node that was there, by what makes it.
    pub fn find(&self, node: &Node) -> Option<NodeId> {
        self.found.get(&key(node)).copied()
    }

    pub fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.all.len());
        self.found.insert(key(&node), id);
        self.all.push(node);
        id
    }

    /// From the start to a node.
    pub fn way_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut way: Vec<NodeId> = std::iter::successors(Some(node), |&node| self.get(node).before).collect();
        way.reverse();
        way
    }
}

fn key(node: &Node) -> Vec<u64> {
    let before = node.before.map_or(0, |before| before.0 as u64 + 1);
    let numbers = [&node.given[..], &[node.time], &node.states, &node.inputs].concat();
    std::iter::once(before).chain(numbers.into_iter().map(f64::to_bits)).collect()
}
