//! Numbers as the sample program for Node prints them: the shortest text that reads back to the same bits, as Rust prints them.

use std::process::Command;

#[test]
fn numbers_are_printed_as_in_rust() {
    let sample = include_str!("../src/text/run.js");
    let begin = sample.find("/** The shortest decimal number").expect("the printing of numbers");
    let end = sample.find("/** FNV-1a").expect("what comes after it");
    let folder = std::env::temp_dir().join(format!("ansatz-numbers-js-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let numbers = numbers();
    let input: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(folder.join("numbers.bin"), input).expect("a file");
    std::fs::write(folder.join("numbers.mjs"), format!("{}{MAIN}", &sample[begin..end])).expect("a script");
    let ran = Command::new("node")
        .arg("numbers.mjs")
        .current_dir(&folder)
        .output()
        .expect("this test needs node (Debian: apt-get install nodejs)");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = std::fs::read_to_string(folder.join("numbers.txt")).expect("a text");
    assert_eq!(text.lines().count(), numbers.len());
    for (number, line) in numbers.iter().zip(text.lines()) {
        // As `ansatz run` prints them; adding zero makes -0 a plain 0.
        let text = format!("{:?}", number + 0.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        assert_eq!(line, format!("{text} {}", number + 0.0), "{number:e}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

const MAIN: &str = r#"
import { readFileSync, writeFileSync } from "node:fs";
const numbers = new Float64Array(new Uint8Array(readFileSync("numbers.bin")).buffer);
writeFileSync("numbers.txt", Array.from(numbers, (number) => `${decimal(number)} ${decimal(number, true)}`).join("\n") + "\n");
"#;

/// Powers of two, below which doubles are closer; powers of ten; neighbours of both; the ends; and some of everything.
fn numbers() -> Vec<f64> {
    let mut numbers = vec![0.0, -0.0, 5e-324, -5e-324, f64::MAX, f64::MIN_POSITIVE, 0.3, 0.1 + 0.2, 1e21, 123456789.0];
    let twos = (0..2046_u64).map(|exponent| f64::from_bits((exponent + 1) << 52));
    let tens = (-300..300).filter_map(|exponent| format!("1e{exponent}").parse().ok());
    for number in twos.chain(tens) {
        numbers.extend([number, -number, number.next_up(), number.next_down()]);
    }
    // A linear congruential generator is good enough to pick bits.
    let mut bits = 1_u64;
    for _ in 0..20_000 {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        numbers.push(f64::from_bits(bits ^ bits >> 31));
        numbers.push((bits >> 40) as f64 / 1000.0);
    }
    numbers.retain(|number| number.is_finite());
    numbers
}
