//! FlatBuffers, in which Arrow says what a file holds: tables of fields that are found by offsets.
//!
//! Everything is written before what it refers to, because offsets lead forwards. The format: flatbuffers.dev, "FlatBuffer internals".

/// Something that is referred to.
pub enum Node {
    /// Fields by their numbers.
    Table(Vec<Field>),
    Text(String),
    Tables(Vec<Node>),
    /// Records of one length, whose largest part has eight bytes.
    Records {
        count: usize,
        bytes: Vec<u8>,
    },
}

/// A field of a table.
pub enum Field {
    Default,
    Byte(u8),
    Short(i16),
    Int(i32),
    Long(i64),
    To(Node),
}

/// A buffer with one table, whose length is a multiple of eight.
pub fn buffer(root: &Node) -> Vec<u8> {
    let mut out = vec![0; 4];
    let at = write(root, &mut out);
    out[..4].copy_from_slice(&(at as u32).to_le_bytes());
    align(&mut out, 8);
    out
}

fn align(out: &mut Vec<u8>, size: usize) {
    out.resize(out.len().next_multiple_of(size), 0);
}

/// Where the node begins.
fn write(node: &Node, out: &mut Vec<u8>) -> usize {
    match node {
        Node::Table(fields) => table(fields, out),
        Node::Text(text) => {
            align(out, 4);
            let at = out.len();
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
            out.push(0);
            at
        }
        Node::Tables(nodes) => {
            align(out, 4);
            let at = out.len();
            out.extend((nodes.len() as u32).to_le_bytes());
            out.resize(out.len() + 4 * nodes.len(), 0);
            for (index, node) in nodes.iter().enumerate() {
                refer(at + 4 + 4 * index, node, out);
            }
            at
        }
        Node::Records { count, bytes } => {
            // The count has four bytes, and the records behind it begin at a multiple of eight.
            align(out, 4);
            if out.len().is_multiple_of(8) {
                out.extend([0; 4]);
            }
            let at = out.len();
            out.extend((*count as u32).to_le_bytes());
            out.extend(bytes);
            at
        }
    }
}

/// Writes a node, and at a place how far it is from there.
fn refer(place: usize, node: &Node, out: &mut Vec<u8>) {
    let at = write(node, out);
    out[place..place + 4].copy_from_slice(&((at - place) as u32).to_le_bytes());
}

/// First how long the table is and where its fields are, then the fields, then what they refer to.
fn table(fields: &[Field], out: &mut Vec<u8>) -> usize {
    align(out, 2);
    let places = out.len();
    let head = 4 + 2 * fields.len();
    out.resize(places + head, 0);
    align(out, 8);
    let at = out.len();
    out.extend(((at - places) as i32).to_le_bytes());
    let mut children: Vec<(usize, &Node)> = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        let bytes: &[u8] = match field {
            Field::Default => continue,
            Field::Byte(value) => &[*value],
            Field::Short(value) => &value.to_le_bytes(),
            Field::Int(value) => &value.to_le_bytes(),
            Field::Long(value) => &value.to_le_bytes(),
            Field::To(_) => &[0; 4],
        };
        align(out, bytes.len());
        if let Field::To(node) = field {
            children.push((out.len(), node));
        }
        let entry = places + 4 + 2 * number;
        let offset = (out.len() - at) as u16;
        out[entry..entry + 2].copy_from_slice(&offset.to_le_bytes());
        out.extend(bytes);
    }
    let length = (out.len() - at) as u16;
    out[places..places + 2].copy_from_slice(&(head as u16).to_le_bytes());
    out[places + 2..places + 4].copy_from_slice(&length.to_le_bytes());
    for (place, node) in children {
        refer(place, node, out);
    }
    at
}
