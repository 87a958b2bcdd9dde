//! The names of what languages bring along: modules of Python and headers of C. A project's own file of such a name is meant
//! only where the language would look for it first.

/// Whether Python brings the module of this name, in any version since 3.7.
pub(super) fn is_python_module(name: &str) -> bool {
    PYTHON.split_ascii_whitespace().any(|one| one == name)
}

/// Whether the header of this name comes with the compiler or the system. Headers of C++ have no ending.
pub(super) fn is_header(name: &str) -> bool {
    !name.contains(['.', '/']) || HEADERS.split_ascii_whitespace().any(|one| one == name)
}

/// Separated by blanks.
const PYTHON: &str = "\
    abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb \
    binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop \
    collections colorsys compileall compression concurrent configparser contextlib contextvars copy \
    copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest \
    dummy_threading email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch \
    formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip \
    hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools \
    json keyword lib2to3 linecache locale logging lzma macpath mailbox mailcap marshal math mimetypes \
    mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers \
    opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform \
    plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data \
    pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select \
    selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 \
    sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau \
    symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading \
    time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types \
    typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound \
    wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";

/// Of C, POSIX and the usual systems.
const HEADERS: &str = "\
    aio.h alloca.h arpa/inet.h assert.h byteswap.h complex.h cpio.h ctype.h dirent.h dlfcn.h endian.h \
    err.h errno.h execinfo.h fcntl.h fenv.h float.h fmtmsg.h fnmatch.h ftw.h getopt.h glob.h grp.h \
    iconv.h inttypes.h io.h iso646.h langinfo.h libgen.h limits.h locale.h malloc.h math.h memory.h \
    monetary.h mqueue.h ndbm.h net/if.h netdb.h netinet/in.h netinet/tcp.h nl_types.h paths.h poll.h \
    process.h pthread.h pwd.h regex.h sched.h search.h semaphore.h setjmp.h signal.h spawn.h stdalign.h \
    stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdio_ext.h stdlib.h \
    stdnoreturn.h string.h strings.h stropts.h sys/epoll.h sys/event.h sys/eventfd.h sys/file.h \
    sys/inotify.h sys/ioctl.h sys/ipc.h sys/mman.h sys/msg.h sys/param.h sys/prctl.h sys/queue.h \
    sys/random.h sys/resource.h sys/select.h sys/sem.h sys/sendfile.h sys/shm.h sys/socket.h sys/stat.h \
    sys/statvfs.h sys/syscall.h sys/sysctl.h sys/sysinfo.h sys/time.h sys/times.h sys/types.h sys/uio.h \
    sys/un.h sys/utsname.h sys/wait.h sysexits.h syslog.h tar.h termios.h tgmath.h threads.h time.h \
    uchar.h ucontext.h unistd.h utime.h utmpx.h wchar.h wctype.h windows.h winsock2.h wordexp.h \
    ws2tcpip.h";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_names_match_whole() {
        for (name, python, header) in [
            ("logging", true, true),
            ("log", false, true),
            ("time.h", false, true),
            ("sys/stat.h", false, true),
            ("stat.h", false, false),
            ("lib/a.h", false, false),
        ] {
            assert_eq!((is_python_module(name), is_header(name)), (python, header), "{name}");
        }
    }
}
