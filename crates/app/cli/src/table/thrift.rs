//! Thrift's compact protocol, in which Parquet says what a file holds: fields with the distance to the number of the one before.

/// A value of a field.
pub enum Value {
    Int(i32),
    Long(i64),
    Text(String),
    /// Field numbers with their values, ascending.
    Record(Vec<(u8, Value)>),
    Records(Vec<Vec<(u8, Value)>>),
    Ints(Vec<i32>),
    Texts(Vec<String>),
}

const INT: u8 = 5;
const LONG: u8 = 6;
const TEXT: u8 = 8;
const LIST: u8 = 9;
const RECORD: u8 = 12;

pub fn record(fields: &[(u8, Value)]) -> Vec<u8> {
    let mut out = Vec::new();
    write_record(fields, &mut out);
    out
}

fn write_record(fields: &[(u8, Value)], out: &mut Vec<u8>) {
    let mut before = 0;
    for (number, value) in fields {
        let kind = match value {
            Value::Int(_) => INT,
            Value::Long(_) => LONG,
            Value::Text(_) => TEXT,
            Value::Record(_) => RECORD,
            Value::Records(_) | Value::Ints(_) | Value::Texts(_) => LIST,
        };
        // No two fields of Parquet's records are more than fifteen apart.
        out.push((number - before) << 4 | kind);
        before = *number;
        write(value, out);
    }
    out.push(0);
}

fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Int(value) => signed(i64::from(*value), out),
        Value::Long(value) => signed(*value, out),
        Value::Text(text) => write_text(text, out),
        Value::Record(fields) => write_record(fields, out),
        Value::Records(records) => {
            write_length(records.len(), RECORD, out);
            records.iter().for_each(|record| write_record(record, out));
        }
        Value::Ints(values) => {
            write_length(values.len(), INT, out);
            values.iter().for_each(|value| signed(i64::from(*value), out));
        }
        Value::Texts(texts) => {
            write_length(texts.len(), TEXT, out);
            texts.iter().for_each(|text| write_text(text, out));
        }
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    varint(text.len() as u64, out);
    out.extend(text.as_bytes());
}

fn write_length(length: usize, kind: u8, out: &mut Vec<u8>) {
    const SHORT: usize = 15;
    if length < SHORT {
        return out.push((length as u8) << 4 | kind);
    }
    out.push(0xf0 | kind);
    varint(length as u64, out);
}

/// Small numbers of either sign are short.
fn signed(value: i64, out: &mut Vec<u8>) {
    varint(((value << 1) ^ (value >> 63)) as u64, out);
}

/// Seven bits in each byte, the lowest first.
pub fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
