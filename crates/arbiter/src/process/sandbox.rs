use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::error::Error;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

/// The Landlock of Linux 6.12, the first one that keeps signals inside.
const LANDLOCK: ABI = ABI::V6;

/// Bytes that a file may have.
const LARGEST_FILE: u64 = 64 << 20;

/// Calls that are refused. Landlock knows neither the attributes of files nor most kinds of sockets, nor what else outlives
/// a process (System V's shared memory, semaphores and queues, message queues by name, keys). Whoever makes a namespace of
/// users has all privileges in it. The last ones reach other processes of the same user.
const REFUSED: [libc::c_long; 43] = [
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_utimensat,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Calls of Linux 6.13 and 6.17, of the same number everywhere.
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;

/// Older forms that only some machines have.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: [libc::c_long; 8] = [
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_fork,
    libc::SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: [libc::c_long; 0] = [];

/// What the numbers of calls have in common in x32, the other interface of 64-bit x86.
#[cfg(target_arch = "x86_64")]
const OTHER_INTERFACE: libc::c_long = 0x4000_0000;
#[cfg(not(target_arch = "x86_64"))]
const OTHER_INTERFACE: libc::c_long = 0;

/// Gives up for good, for this process and whatever program it becomes: privileges, writing but in one directory and
/// to `/dev/null`, sockets, further processes, and what reaches other processes. An error means that the system can't
/// do that.
pub(super) fn enter(writable: &Path) -> Result<(), Box<dyn Error>> {
    let most = Some(LARGEST_FILE);
    setrlimit(Resource::Fsize, Rlimit { current: most, maximum: most })?;
    let writing = AccessFs::from_write(LANDLOCK);
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(writing)?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?
        .add_rule(PathBeneath::new(PathFd::new(writable)?, writing))?
        .add_rule(PathBeneath::new(PathFd::new("/dev/null")?, writing & AccessFs::from_file(LANDLOCK)))?
        .restrict_self()?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    // Its flags are out of a filter's sight, and whoever is told that there is no such call takes the older one.
    refuse([(libc::SYS_clone3, Vec::new())], libc::ENOSYS)?;
    let thread = libc::CLONE_THREAD as u64;
    let no_thread = condition(0, SeccompCmpOp::MaskedEq(thread), 0)?;
    let others = condition(0, SeccompCmpOp::Ne, 0)?;
    let conditional = [(libc::SYS_clone, vec![no_thread]), (libc::SYS_prlimit64, vec![others])];
    let always = REFUSED.into_iter().chain(REFUSED_HERE).map(|call| (call, Vec::new()));
    refuse(conditional.into_iter().chain(always), libc::EPERM)
}

/// What must hold for an argument of a call.
fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, Box<dyn Error>> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}

/// From now on has these calls, where one of their rules holds or they have none, fail with an error.
fn refuse(
    calls: impl IntoIterator<Item = (libc::c_long, Vec<SeccompRule>)>,
    error: i32,
) -> Result<(), Box<dyn Error>> {
    let mut rules = BTreeMap::new();
    for (call, conditions) in calls {
        rules.insert(call, conditions.clone());
        rules.insert(call | OTHER_INTERFACE, conditions);
    }
    let refused = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, ARCH.try_into()?)?;
    apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
}
