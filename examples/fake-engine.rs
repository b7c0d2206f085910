//! An engine for tests: speaks the protocol for Simplexity, plays legal random moves, and misbehaves in a named way.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixDatagram;
use std::process::{Command as Program, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use game::{Rules, Setup, State};
use protocol::{Answer, Command, Dialect, ErrorReply, Go, Query, Reply, Root, Token};
use rustix::process::{Signal, getpid, getppid, kill_process, test_kill_process};

/// How to misbehave. `go` means the N-th one, N being `--after`; in brackets what `--arg` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Mode {
    /// Not at all.
    Healthy,
    /// Not at all: plays a legal move at once, the same in the same position.
    Instant,
    /// Knows no rules: plays the last move of the `legal` list.
    LegalList,
    /// Never answers `ugi`.
    SilentHandshake,
    /// Answers `ugi` late [ms].
    SlowHandshake,
    /// Answers the first `isready` late [ms].
    SlowReadyok,
    /// Answers no `isready` from the N-th on.
    NoReadyok,
    /// Prints blank lines between its lines.
    BlankLines,
    /// Separates words by tabs and runs of blanks.
    Tabs,
    /// Ends lines with CR LF.
    Crlf,
    /// Prints a long banner, and prompts without a line feed.
    Banner,
    /// Speaks another protocol and waits.
    PrintsUsageAndWaits,
    /// Keeps all output in a buffer.
    NeverFlush,
    /// Says more after its moves: a ponder move, an unknown word, blanks.
    ExtraWords,
    /// At every eighth `go` or so, in one of many ways that show at once.
    Random,
    /// Exits with code 3 at `go`.
    DieOnGo,
    /// Exits with code 0 at `go`.
    ExitOnGo,
    /// Never answers `go`, nor anything after it.
    Hang,
    /// Answers `go` late [ms].
    Late,
    /// Answers `go` late [ms] and everything else meanwhile.
    Stale,
    /// Prints a line each 10 ms instead of a move.
    Chatter,
    /// Answers each `go` twice from the N-th on.
    Twice,
    /// Prints malformed info lines.
    BadInfo,
    /// Prints a PV of illegal moves.
    IllegalPv,
    /// Plays a move that isn't legal.
    IllegalMove,
    /// Answers with something that is no move of the game.
    MalformedMove,
    /// Answers `bestmove none`.
    None,
    /// Answers `bestmove 0000`.
    Null,
    /// Answers `bestmove`.
    Empty,
    /// Answers `bestmove resign`.
    Resign,
    /// Prints lines that aren't UTF-8.
    Latin1,
    /// Prints NUL bytes.
    NulByte,
    /// Prints a line of 2 MiB before its move.
    Hugeline,
    /// Answers with a word of 500,000 characters, control characters among them: where a move is due, [1] where an error
    /// comes before no move, [2] where its view of the position is due after an illegal move.
    Rant,
    /// Prints without end and without a line feed.
    NoNewlineFlood,
    /// Prints lines without end.
    Flood,
    /// Prints 2 MB to standard error for each move.
    StderrFlood,
    /// Closes standard output at `go` and lives on.
    CloseStdout,
    /// Ignores `quit` and the end of input.
    NoQuit,
    /// Ignores `quit`, the end of input and SIGTERM.
    IgnoreSigterm,
    /// Ignores the end of input.
    IgnoreEof,
    /// Starts a process that holds its pipes; dies at `go` if [1].
    ForkGrandchild,
    /// Starts a daemon: a process in a session of its own, with none of its pipes and no parent here.
    Daemonise,
    /// Dies at the N-th `uginewgame`.
    DieBetweenGames,
    /// Dies right after its move.
    DieAfterBestmove,
    /// Says that the last move it was sent is illegal, then nothing.
    RejectsMove,
    /// Doesn't know of the opponent's last move, and plays the last move of the list.
    IgnoresLastMove,
    /// Stops reading at `go`.
    NoReadStdin,
    /// Reads nothing while it thinks [ms].
    BusyNoready,
    /// Confirms another set-up.
    WrongSetupok,
    /// Dies of a signal at `go`.
    Segv,
    /// Takes so much memory [MiB] at `go`.
    Allocate,
    /// Opens sockets at its start; exits with code 9 if it can.
    OpenSocket,
    /// Writes outside its own directory at its start; exits with code 9 if it can, with 1 if it can't write inside.
    WriteOutside,
    /// Starts processes at its start; exits with code 9 if it can.
    ForkBomb,
    /// Reaches for the process that started it, at its start; exits with code 9 if it can.
    SignalParent,
    /// Looks for descriptors beyond the standard streams at its start; exits with code 9 if it has some.
    ListDescriptors,
}

#[derive(Parser)]
struct Args {
    #[arg(long)]
    mode: Mode,
    /// At which `go` (`isready`, `uginewgame`) it misbehaves, from 1.
    #[arg(long, default_value_t = 3)]
    after: u32,
    #[arg(long)]
    arg: Option<u64>,
    /// Announces no capability.
    #[arg(long)]
    minimal: bool,
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    let is_random = args.mode == Mode::Random;
    let rules = registry::find("simplexity").expect("the game is built in");
    let setup = rules.setup(&[]).expect("the defaults are a set-up");
    let position = rules.start(&setup);
    let mut fake = Fake {
        args,
        is_random,
        rules,
        setup,
        position,
        legal: Vec::new(),
        seed: 0,
        drawn: 0,
        gos: 0,
        readies: 0,
        games: 0,
    };
    fake.begin()?;
    for line in io::stdin().lines() {
        match Command::parse(line?.as_bytes()) {
            Ok(Some(Command::Quit)) if !fake.is_stubborn() => return Ok(()),
            Ok(Some(command)) => fake.obey(command)?,
            Ok(None) => {}
            Err(refusal) => fake.say(&Reply::Error(refusal.error).to_string())?,
        }
    }
    if fake.is_stubborn() || fake.args.mode == Mode::IgnoreEof {
        wait_forever();
    }
    Ok(())
}

/// What [`Mode::Random`] draws from.
const RANDOM: [Mode; 16] = [
    Mode::BadInfo,
    Mode::Crlf,
    Mode::Twice,
    Mode::Hugeline,
    Mode::StderrFlood,
    Mode::DieOnGo,
    Mode::ExitOnGo,
    Mode::Segv,
    Mode::DieAfterBestmove,
    Mode::CloseStdout,
    Mode::IllegalMove,
    Mode::MalformedMove,
    Mode::None,
    Mode::Null,
    Mode::Resign,
    Mode::Flood,
];

fn wait_forever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

struct Fake {
    args: Args,
    is_random: bool,
    rules: &'static dyn Rules,
    setup: Setup,
    position: Box<dyn State>,
    legal: Vec<Token>,
    seed: u64,
    drawn: u64,
    gos: u32,
    readies: u32,
    games: u32,
}

impl Fake {
    fn is_stubborn(&self) -> bool {
        matches!(self.args.mode, Mode::NoQuit | Mode::IgnoreSigterm)
    }

    /// Sleeps for `--arg` milliseconds.
    fn doze(&self) {
        sleep(Duration::from_millis(self.args.arg.unwrap_or(3000)));
    }

    fn say(&self, line: &str) -> io::Result<()> {
        let line = match self.args.mode {
            Mode::NeverFlush => return Ok(()),
            Mode::Tabs => format!("\t{} \t\n", line.replace(' ', " \t  ")),
            Mode::Crlf => format!("{line}\r\n"),
            Mode::BlankLines => format!("\n \n{line}\n\n"),
            Mode::Banner => format!("fake> {line}\n> "),
            _ => format!("{line}\n"),
        };
        print(line.as_bytes())
    }

    fn begin(&mut self) -> io::Result<()> {
        match self.args.mode {
            Mode::Banner => {
                for i in 0..50 {
                    print(format!("Fake engine, line {i}, hash 0x{:x}, readyok-ish\n", i * 77).as_bytes())?;
                }
                print(b"readyok-ish\nbestmove example follows\n> ")
            }
            Mode::PrintsUsageAndWaits => {
                print(b"usage: fake [--xboard]\nthis program speaks CECP\n")?;
                wait_forever();
            }
            Mode::IgnoreSigterm => {
                signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::default()).map(drop)
            }
            Mode::ForkGrandchild => Program::new("sleep").arg("300").stdin(Stdio::null()).spawn().map(drop),
            Mode::Daemonise => Program::new("sh")
                .args(["-c", "setsid sleep 300 </dev/null >/dev/null 2>&1 &"])
                .status()
                .map(drop),
            Mode::OpenSocket => {
                let can = TcpListener::bind("127.0.0.1:0").is_ok()
                    || UdpSocket::bind("127.0.0.1:0").is_ok()
                    || UnixDatagram::unbound().is_ok();
                forbidden(can);
                Ok(())
            }
            Mode::WriteOutside => {
                fs::write("inside", "of the working directory")?;
                fs::write(env::temp_dir().join("inside-too"), "of the directory for temporary files")?;
                fs::write("/dev/null", "everybody may")?;
                let program = fs::File::open(env::current_exe()?)?;
                let present = program.metadata()?;
                forbidden(
                    fs::write("../outside", "of both").is_ok()
                        || program.set_permissions(present.permissions()).is_ok()
                        || program.set_modified(present.modified()?).is_ok(),
                );
                Ok(())
            }
            Mode::ForkBomb => {
                let started = (0..50).filter(|_| Program::new("sleep").arg("300").spawn().is_ok());
                forbidden(started.count() > 0);
                Ok(())
            }
            Mode::SignalParent => {
                forbidden(getppid().is_none_or(|parent| test_kill_process(parent).is_ok()));
                Ok(())
            }
            Mode::ListDescriptors => {
                // One of them is the list itself.
                forbidden(fs::read_dir("/proc/self/fd")?.count() > 4);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Hello { .. } => self.greet(),
            Command::IsReady => self.answer_ready(),
            Command::NewGame(_) => {
                self.games += 1;
                if self.args.mode == Mode::DieBetweenGames && self.games == self.args.after {
                    std::process::exit(3);
                }
                Ok(())
            }
            Command::SetOption { name, value } if name.eq_ignore_ascii_case("seed") => {
                self.seed = value.and_then(|value| value.parse().ok()).unwrap_or_default();
                self.drawn = 0;
                Ok(())
            }
            Command::SetOption { name, .. } => {
                self.say(&Reply::Error(ErrorReply::unknown_option(&name)).to_string())
            }
            Command::Setup { pairs, .. } => {
                let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
                match self.rules.setup(&pairs) {
                    Ok(setup) => self.setup = setup,
                    Err(error) => {
                        return self
                            .say(&Reply::Error(ErrorReply::bad_param(&error.key, &error.value)).to_string());
                    }
                }
                if self.args.mode == Mode::WrongSetupok {
                    self.setup.0[0] += 1;
                }
                self.say(&format!("setupok {} {}", self.rules.name(), self.setup.text(self.rules.params())))
            }
            Command::Position { root: Root::Fen(fen), moves } => self.set_position(&fen, &moves),
            Command::Legal(moves) => {
                self.legal = moves;
                Ok(())
            }
            Command::Query(Query::Fen) if self.args.mode == Mode::Rant => {
                self.say(&format!("response fen {}", rant()))
            }
            Command::Query(Query::Fen) => {
                let tokens = self.position.fen().split(' ').map(str::to_owned).collect();
                self.say(&Reply::Response(Answer::Named { name: "fen".into(), tokens }).to_string())
            }
            Command::Go(go) => {
                self.gos += 1;
                if self.is_random {
                    self.draw_mode();
                }
                self.answer_go(&go)
            }
            _ => Ok(()),
        }
    }

    /// Decides how this `go` is answered.
    fn draw_mode(&mut self) {
        let drawn = game::zobrist::number(u64::from(std::process::id()), u64::from(self.gos));
        let mode = RANDOM[(drawn / 8 % RANDOM.len() as u64) as usize];
        (self.args.mode, self.args.after) =
            (if drawn.is_multiple_of(8) { mode } else { Mode::Healthy }, self.gos);
    }

    fn greet(&mut self) -> io::Result<()> {
        match self.args.mode {
            Mode::SilentHandshake => wait_forever(),
            Mode::SlowHandshake => self.doze(),
            _ => {}
        }
        self.say("id name Fake")?;
        if !self.args.minimal {
            self.say(match self.args.mode {
                Mode::LegalList => "cap setup tag query wants-legal",
                _ => "cap setup tag query",
            })?;
            self.say("option name SEED type spin default 0 min 0 max 1000000")?;
        }
        self.say(&Reply::HelloOk(Dialect::Ugi).to_string())
    }

    fn answer_ready(&mut self) -> io::Result<()> {
        self.readies += 1;
        match self.args.mode {
            Mode::SlowReadyok if self.readies == 1 => self.doze(),
            Mode::NoReadyok if self.readies >= self.args.after => return Ok(()),
            _ => {}
        }
        self.say("readyok")
    }

    fn set_position(&mut self, fen: &str, moves: &[Token]) -> io::Result<()> {
        let ignored = usize::from(self.args.mode == Mode::IgnoresLastMove && !moves.is_empty());
        self.position = self.rules.load(fen).expect("the arbiter sends positions");
        for m in &moves[..moves.len() - ignored] {
            self.position.play(m.as_str()).expect("the arbiter sends legal moves");
        }
        if self.args.mode == Mode::RejectsMove && self.gos + 1 == self.args.after {
            let last = moves.last().map_or("none", Token::as_str);
            self.say(&Reply::Error(ErrorReply::illegal_move(moves.len().max(1), last)).to_string())?;
        }
        Ok(())
    }

    fn answer_go(&mut self, go: &Go) -> io::Result<()> {
        let best = self.choose();
        if self.gos == self.args.after {
            self.misbehave(&best, go.tag.as_ref())
        } else {
            self.misbehave_always(&best)?;
            self.play(&best, go.tag.as_ref())
        }
    }

    fn play(&self, best: &str, tag: Option<&Token>) -> io::Result<()> {
        let tag = tag.map(|tag| format!(" tag {tag}")).unwrap_or_default();
        if self.args.mode == Mode::ExtraWords {
            return self.say(&format!("bestmove {best} ponder {best}{tag} sure  "));
        }
        self.say(&format!("bestmove {best}{tag}"))
    }

    fn choose(&mut self) -> String {
        if self.args.mode == Mode::LegalList {
            return self.legal.last().map_or("0000".into(), |m| m.as_str().to_owned());
        }
        let legal = self.position.legal();
        self.drawn += 1;
        let number = match self.args.mode {
            Mode::IgnoresLastMove => legal.len() as u64 - 1,
            Mode::Instant => self.position.key(),
            _ => game::zobrist::number(self.seed, self.drawn),
        };
        legal[(number % legal.len() as u64) as usize].clone()
    }

    /// What doesn't keep it from answering each `go`.
    fn misbehave_always(&self, best: &str) -> io::Result<()> {
        match self.args.mode {
            Mode::Twice if self.gos >= self.args.after => self.play(best, None),
            Mode::BadInfo => {
                self.say("info depth score cp nodes")?;
                self.say("info depth x score cp 1.5 nodes 99999999999999999999999999 time -")?;
                self.say("info depth 4 seldepth 6 score cp 12 nodes 5210 time 3 pv")
            }
            Mode::IllegalPv => self.say("info depth 3 score cp 7 pv 99o zz 1o 1o 1o 1o 1o 1o 1o"),
            Mode::Latin1 => print(b"info string caf\xe9 \xff\xfe\n\xe9\xe9\n"),
            Mode::NulByte => print(b"info string a\0b\n\0\0\n"),
            Mode::StderrFlood => {
                let line = [b"x".repeat(99), b"\n".to_vec()].concat();
                (0..20_000).try_for_each(|_| io::stderr().write_all(&line))
            }
            Mode::BusyNoready => {
                self.doze();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn misbehave(&self, best: &str, tag: Option<&Token>) -> io::Result<()> {
        match self.args.mode {
            Mode::DieOnGo => {
                eprintln!("fake engine: about to die");
                std::process::exit(3);
            }
            Mode::ExitOnGo => std::process::exit(0),
            Mode::Hang | Mode::NoReadStdin => wait_forever(),
            Mode::ForkGrandchild if self.args.arg == Some(1) => std::process::exit(3),
            Mode::Segv => loop {
                // The first one only takes the runtime's own handler off.
                kill_process(getpid(), Signal::SEGV)?;
            },
            Mode::Allocate => {
                let memory: Vec<u8> = Vec::with_capacity((self.args.arg.unwrap_or(1024) as usize) << 20);
                std::hint::black_box(memory);
                self.play(best, tag)
            }
            Mode::Late => {
                self.doze();
                self.play(best, tag)
            }
            Mode::Stale => {
                let (pause, best, tag) = (self.args.arg.unwrap_or(800), best.to_owned(), tag.cloned());
                std::thread::spawn(move || {
                    sleep(Duration::from_millis(pause));
                    let tag = tag.map(|tag| format!(" tag {tag}")).unwrap_or_default();
                    print(format!("bestmove {best}{tag}\n").as_bytes())
                });
                Ok(())
            }
            Mode::Chatter => loop {
                self.say("info string still thinking")?;
                sleep(Duration::from_millis(10));
            },
            Mode::IllegalMove => self.play("50s", tag),
            Mode::MalformedMove => self.play("(e2-e4)", tag),
            Mode::None => self.play("none", tag),
            Mode::Null => self.play("0000", tag),
            Mode::Empty => self.say("bestmove"),
            Mode::Resign => self.play("resign", tag),
            Mode::Hugeline => {
                print(&b"x".repeat(2 << 20))?;
                print(b"\n")?;
                self.play(best, tag)
            }
            Mode::Rant => match self.args.arg {
                Some(1) => {
                    self.say(&format!("error internal : {}", rant()))?;
                    self.play("0000", tag)
                }
                Some(2) => self.play("50s", tag),
                _ => self.play(&rant(), tag),
            },
            Mode::NoNewlineFlood => loop {
                print(&b"x".repeat(1 << 16))?;
            },
            Mode::Flood => loop {
                print("info depth 1 score cp 0 nodes 1 time 0\n".repeat(1000).as_bytes())?;
            },
            Mode::CloseStdout => {
                rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
                wait_forever();
            }
            Mode::DieAfterBestmove => {
                self.play(best, tag)?;
                std::process::exit(3);
            }
            Mode::RejectsMove => Ok(()),
            _ => {
                self.misbehave_always(best)?;
                self.play(best, tag)
            }
        }
    }
}

/// A word that no terminal should be given.
fn rant() -> String {
    format!("{}!", "a\u{1b}]0;b\u{7}".repeat(70_000))
}

/// Something was tried that a sandbox forbids.
fn forbidden(worked: bool) {
    if worked {
        eprintln!("fake engine: that worked");
        std::process::exit(9);
    }
}

/// One write, whatever the text holds.
fn print(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text)?;
    out.flush()
}
