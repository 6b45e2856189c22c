//! SQLite's C interface to the simulated disk. Owns every pointer that crosses
//! it; decides nothing.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::ffi;

use crate::disk::{Disk, DiskError, Inode, Open};
use crate::locks::Locks;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// What a registered file system needs; lives as long as the process.
struct Registered {
    disk: Arc<Mutex<Disk>>,
    locks: Mutex<Locks>,
    random: AtomicU64,
}

/// SQLite allocates this much for each open file and calls us with it.
#[repr(C)]
struct OpenFile {
    base: ffi::sqlite3_file,
    handle: *mut Handle,
}

struct Handle {
    registered: &'static Registered,
    name: String,
    open: Mutex<Open>,
    inode: Inode,
    id: u64,
    delete_on_close: bool,
}

impl Registered {
    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn locks(&self) -> MutexGuard<'_, Locks> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registers a disk with SQLite for the rest of the process and returns the
/// name it has there.
pub(crate) fn register(disk: Arc<Mutex<Disk>>) -> String {
    let name = format!("sicbo-fault-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let registered = Box::leak(Box::new(Registered {
        disk,
        locks: Mutex::default(),
        random: 1.into(),
    }));
    let c_name = CString::new(name.clone()).expect("the name holds no zero");
    let vfs = ffi::sqlite3_vfs {
        iVersion: 1,
        szOsFile: size_of::<OpenFile>() as c_int,
        mxPathname: 512,
        pNext: std::ptr::null_mut(),
        zName: c_name.into_raw(),
        pAppData: std::ptr::from_mut(registered).cast(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_pathname),
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: Some(current_time),
        xGetLastError: Some(last_error),
        xCurrentTimeInt64: None,
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    };
    // SAFETY: the structure and all it points to are leaked, so SQLite may keep
    // the pointer for ever, as it does.
    let code = unsafe { ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 0) };
    assert_eq!(code, ffi::SQLITE_OK, "SQLite refused the file system");
    name
}

/// Takes a disk's name from SQLite and its contents from memory. What SQLite may
/// still point to stays, and finds no files any more.
pub(crate) fn unregister(name: &str) {
    let Ok(name) = CString::new(name) else {
        return;
    };
    // SAFETY: the structure was leaked by `register`, so it outlives both its
    // entry in SQLite's list and every connection that uses it.
    unsafe {
        let vfs = ffi::sqlite3_vfs_find(name.as_ptr());
        if !vfs.is_null() {
            ffi::sqlite3_vfs_unregister(vfs);
            registered(vfs).disk().clear();
        }
    }
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

fn code(result: Result<(), DiskError>, otherwise: c_int) -> c_int {
    match result {
        Ok(()) => ffi::SQLITE_OK,
        Err(DiskError::Full) => ffi::SQLITE_FULL,
        Err(DiskError::ReadOnly) => ffi::SQLITE_READONLY,
        Err(DiskError::SyncFailed) => ffi::SQLITE_IOERR_FSYNC,
        Err(DiskError::Down | DiskError::NotFound | DiskError::Exists) => otherwise,
    }
}

/// # Safety
/// `vfs` must be one that [`register`] made.
unsafe fn registered(vfs: *mut ffi::sqlite3_vfs) -> &'static Registered {
    // SAFETY: SQLite passes back the structure it was given, whose data was
    // leaked by `register`.
    unsafe { &*(*vfs).pAppData.cast::<Registered>() }
}

/// # Safety
/// `file` must be one that [`open`] filled and [`close`] has not seen.
unsafe fn handle<'a>(file: *mut ffi::sqlite3_file) -> &'a Handle {
    // SAFETY: `open` put a live pointer there.
    unsafe { &*(*file.cast::<OpenFile>()).handle }
}

/// # Safety
/// `name` must be a C string or null.
unsafe fn text(name: *const c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(name) }
        .to_string_lossy()
        .into_owned()
}

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite calls with its own structures: `file` has room for
    // `szOsFile` bytes, `name` is a C string or null, `out_flags` may be null.
    unsafe {
        let registered = registered(vfs);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = if name.is_null() {
            format!("temporary-{id}")
        } else {
            text(name)
        };
        // With no methods set SQLite will not call close on a failed open.
        (*file).pMethods = std::ptr::null();
        let create = flags & ffi::SQLITE_OPEN_CREATE != 0;
        let opened = registered.disk().open(&name, create);
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return code(Err(error), ffi::SQLITE_CANTOPEN),
        };
        let delete_on_close = flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0;
        let handle = Box::new(Handle {
            registered,
            name,
            open: Mutex::new(opened),
            inode: opened.inode,
            id,
            delete_on_close,
        });
        (*file.cast::<OpenFile>()).handle = Box::into_raw(handle);
        (*file).pMethods = &METHODS;
        if !out_flags.is_null() {
            *out_flags = flags;
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once, and it was filled by `open`.
    let handle = unsafe { Box::from_raw((*file.cast::<OpenFile>()).handle) };
    handle.registered.locks().forget(handle.inode, handle.id);
    handle.registered.disk().close(handle.inode);
    if handle.delete_on_close {
        let _ = handle.registered.disk().delete(&handle.name, false);
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    into: *mut c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite passes a buffer of `amount` bytes and an open file.
    let (handle, into) = unsafe {
        (
            handle(file),
            std::slice::from_raw_parts_mut(into.cast::<u8>(), amount as usize),
        )
    };
    match handle
        .registered
        .disk()
        .read(handle.inode, offset as usize, into)
    {
        Ok(count) if count == into.len() => ffi::SQLITE_OK,
        Ok(_) => ffi::SQLITE_IOERR_SHORT_READ,
        Err(_) => ffi::SQLITE_IOERR_READ,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite passes a buffer of `amount` bytes and an open file.
    let (handle, from) = unsafe {
        (
            handle(file),
            std::slice::from_raw_parts(from.cast::<u8>(), amount as usize),
        )
    };
    let written = handle
        .registered
        .disk()
        .write(handle.inode, offset as usize, from);
    code(written, ffi::SQLITE_IOERR_WRITE)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    let done = handle
        .registered
        .disk()
        .truncate(handle.inode, size as usize);
    code(done, ffi::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _flags: c_int) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    code(
        handle
            .registered
            .disk()
            .sync(&mut handle.open.lock().unwrap_or_else(PoisonError::into_inner)),
        ffi::SQLITE_IOERR_FSYNC,
    )
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut i64) -> c_int {
    // SAFETY: SQLite passes an open file and a place for the answer.
    let (handle, size) = unsafe { (handle(file), &mut *size) };
    let length = handle.registered.disk().length(handle.inode);
    code(
        length.map(|length| *size = length as i64),
        ffi::SQLITE_IOERR_FSTAT,
    )
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    let got = handle
        .registered
        .locks()
        .raise(handle.inode, handle.id, level);
    if got {
        ffi::SQLITE_OK
    } else {
        ffi::SQLITE_BUSY
    }
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    handle
        .registered
        .locks()
        .lower(handle.inode, handle.id, level);
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(
    file: *mut ffi::sqlite3_file,
    answer: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes an open file and a place for the answer.
    let (handle, answer) = unsafe { (handle(file), &mut *answer) };
    *answer = c_int::from(handle.registered.locks().reserved(handle.inode));
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(
    _file: *mut ffi::sqlite3_file,
    _op: c_int,
    _argument: *mut c_void,
) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_file: *mut ffi::sqlite3_file) -> c_int {
    512
}

/// Writes may be torn, reordered and lost; whether they may disturb the bytes
/// beside them is the test's choice.
unsafe extern "C" fn device_characteristics(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    if handle.registered.disk().overwrites_safely() {
        ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
    } else {
        0
    }
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    size: c_int,
    extend: c_int,
    answer: *mut *mut c_void,
) -> c_int {
    // SAFETY: SQLite passes an open file and a place for the answer.
    let (handle, answer) = unsafe { (handle(file), &mut *answer) };
    let mut locks = handle.registered.locks();
    let (region, size) = (region as usize, size as usize);
    *answer = locks
        .map(handle.inode, handle.id, region, size, extend != 0)
        .cast();
    ffi::SQLITE_OK
}

unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    offset: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    let which = offset as usize..(offset + count) as usize;
    let take = flags & ffi::SQLITE_SHM_LOCK != 0;
    let exclusive = flags & ffi::SQLITE_SHM_EXCLUSIVE != 0;
    let got = handle
        .registered
        .locks()
        .index(handle.inode, handle.id, which, take, exclusive);
    if got {
        ffi::SQLITE_OK
    } else {
        ffi::SQLITE_BUSY
    }
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    std::sync::atomic::fence(Ordering::SeqCst);
    // SAFETY: SQLite passes an open file. Taking the lock orders us with every
    // other user of the shared memory.
    drop(unsafe { handle(file) }.registered.locks());
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _delete: c_int) -> c_int {
    // SAFETY: SQLite passes an open file.
    let handle = unsafe { handle(file) };
    handle.registered.locks().unmap(handle.inode, handle.id);
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_folder: c_int,
) -> c_int {
    // SAFETY: SQLite passes our own structure and a C string.
    let (registered, name) = unsafe { (registered(vfs), text(name)) };
    match registered.disk().delete(&name, sync_folder != 0) {
        Err(DiskError::NotFound) => ffi::SQLITE_IOERR_DELETE_NOENT,
        done => code(done, ffi::SQLITE_IOERR_DELETE),
    }
}

unsafe extern "C" fn access(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    _flags: c_int,
    answer: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes our own structure, a C string and a place for the
    // answer.
    let (registered, name, answer) = unsafe { (registered(vfs), text(name), &mut *answer) };
    *answer = c_int::from(registered.disk().exists(&name));
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_pathname(
    _vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes a C string and a buffer of `room` bytes.
    unsafe {
        let bytes = CStr::from_ptr(name).to_bytes_with_nul();
        if bytes.len() > room as usize {
            return ffi::SQLITE_CANTOPEN;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), out, bytes.len());
    }
    ffi::SQLITE_OK
}

/// The same numbers in every run.
unsafe extern "C" fn randomness(
    vfs: *mut ffi::sqlite3_vfs,
    count: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes our own structure and a buffer of `count` bytes.
    let (registered, out) = unsafe {
        (
            registered(vfs),
            std::slice::from_raw_parts_mut(out.cast::<u8>(), count as usize),
        )
    };
    for byte in out {
        let next = registered
            .random
            .fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        *byte = (next ^ (next >> 29))
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            .to_be_bytes()[0];
    }
    count
}

unsafe extern "C" fn sleep(_vfs: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    std::thread::yield_now();
    microseconds
}

unsafe extern "C" fn current_time(_vfs: *mut ffi::sqlite3_vfs, answer: *mut f64) -> c_int {
    // SAFETY: SQLite passes a place for the answer.
    unsafe { *answer = 2_461_360.0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn last_error(
    _vfs: *mut ffi::sqlite3_vfs,
    _room: c_int,
    _out: *mut c_char,
) -> c_int {
    0
}
