// The attribute does not take `key` yet. This is what it will call, with the message that it will give.
struct Visitor;

fn main() {
    let _ = windowlimit::__private::key(&Visitor);
    let _ = windowlimit::__private::key(&("name", 0.5));
}
