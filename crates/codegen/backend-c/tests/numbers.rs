//! Numbers as the sample program prints them: the shortest text that reads back to the same bits, as Rust prints them.

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn numbers_are_printed_as_in_rust() {
    let sample = include_str!("../src/text/main.c");
    let begin = sample.find("/* Adds one to the last digit").expect("the printing of numbers");
    let end = sample.find("/* Multiples of a decimal interval").expect("what comes after it");
    let program = format!("{HEAD}{}{MAIN}", &sample[begin..end]);
    let folder = std::env::temp_dir().join(format!("ansatz-numbers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    std::fs::write(folder.join("numbers.c"), program).expect("a source");
    let built = Command::new("gcc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "numbers", "numbers.c", "-lm"])
        .current_dir(&folder)
        .output()
        .expect("this test needs gcc (Debian: apt-get install build-essential)");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let numbers = numbers();
    let input: String = numbers.iter().map(|number| format!("{:x}\n", number.to_bits())).collect();
    let mut child =
        Command::new(folder.join("numbers")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program");
    let mut stdin = child.stdin.take().expect("its input");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("a thread").expect("all of the input is read");
    let text = String::from_utf8(output.stdout).expect("a text");
    assert_eq!(text.lines().count(), numbers.len());
    for (number, line) in numbers.iter().zip(text.lines()) {
        // As `ansatz run` prints them; adding zero makes -0 a plain 0.
        let text = format!("{:?}", number + 0.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        assert_eq!(line, format!("{text} {}", number + 0.0), "{number:e}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

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

const HEAD: &str = "\
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
";

const MAIN: &str = "
int main(void)
{
    uint64_t bits;
    while (scanf(\"%\" SCNx64, &bits) == 1) {
        double value;
        memcpy(&value, &bits, sizeof value);
        print_number(stdout, value, 0);
        putchar(' ');
        print_number(stdout, value, 1);
        putchar('\\n');
    }
    return 0;
}
";
