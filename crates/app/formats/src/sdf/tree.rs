//! A tree in the graph of links and joints: the joints that are in it become coordinates, those that are not close loops.

use super::Joint;

/// How a link is reached from the world, or from a link before it.
#[derive(Clone, Copy)]
pub struct Step {
    pub link: usize,
    /// The joint on the way; none for a link that nothing holds.
    pub joint: Option<usize>,
    /// The link before; none is the world.
    pub before: Option<usize>,
}

pub struct Tree {
    /// Each link once, those before it first.
    pub order: Vec<Step>,
    /// Joints that close loops.
    pub closing: Vec<usize>,
}

/// What limits, brakes or drives a joint is about its coordinate, so such joints are in the tree where there is a choice.
pub fn tree(links: usize, joints: &[Joint<'_, '_>]) -> Tree {
    let world = links;
    let ends = |joint: &Joint<'_, '_>| [joint.parent.unwrap_or(world), joint.child];
    let (acting, plain): (Vec<usize>, Vec<usize>) = (0..joints.len()).partition(|&at| joints[at].acts);
    let mut above: Vec<usize> = (0..=links).collect();
    let mut is_kept = vec![false; joints.len()];
    for at in acting.into_iter().chain(plain) {
        let [a, b] = ends(&joints[at]).map(|end| root(&mut above, end));
        is_kept[at] = a != b;
        above[a] = b;
    }
    let mut beside: Vec<Vec<(usize, usize)>> = vec![Vec::new(); links + 1];
    let mut is_below = vec![false; links];
    for (at, joint) in joints.iter().enumerate().filter(|(at, _)| is_kept[*at]) {
        let [a, b] = ends(joint);
        beside[a].push((at, b));
        beside[b].push((at, a));
        is_below[joint.child] = true;
    }
    // What nothing holds to the world moves with a link that is nobody's child, if there is one.
    let held = root(&mut above, world);
    let mut has_root = vec![false; links + 1];
    has_root[held] = true;
    let mut starts: Vec<Step> = Vec::new();
    for is_child in [false, true] {
        for link in (0..links).filter(|&link| is_below[link] == is_child) {
            let whole = root(&mut above, link);
            if !std::mem::replace(&mut has_root[whole], true) {
                starts.push(Step { link, joint: None, before: None });
            }
        }
    }
    starts.extend(beside[world].iter().map(|&(joint, link)| Step { link, joint: Some(joint), before: None }));
    starts.sort_by_key(|step| step.link);
    let mut order = Vec::with_capacity(links);
    let mut waiting: Vec<Step> = starts.into_iter().rev().collect();
    while let Some(step) = waiting.pop() {
        order.push(step);
        let next = beside[step.link].iter().rev().filter(|&&(joint, link)| Some(joint) != step.joint && link != world);
        waiting.extend(next.map(|&(joint, link)| Step { link, joint: Some(joint), before: Some(step.link) }));
    }
    Tree { order, closing: (0..joints.len()).filter(|&at| !is_kept[at]).collect() }
}

/// The representative of what a link is joined to, with the way to it shortened.
fn root(above: &mut [usize], mut at: usize) -> usize {
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}
