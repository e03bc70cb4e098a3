"""Short forms that programmers use in names, and the words that they stand for."""

from __future__ import annotations

from functools import cache, lru_cache

from analysis.parsing.stems import stem

# A word and its usual short forms; only forms that are no words themselves, or mean the same.
_TABLE = """
context ctx ctxt;configuration config cfg conf;request req;response resp res;database db;
authentication auth authn;authorization auth authz;error err;message msg;utility util utils;
parameter param;argument arg;function func fn;implementation impl;initialize init;index idx;
environment env;directory dir;library lib;manager mgr;package pkg;repository repo;
specification spec;attribute attr;property prop;connection conn;command cmd;buffer buf;
session sess;transaction tx txn;exception exc;operation op;execute exec;generate gen;
expression expr;statement stmt;source src;destination dst dest;service svc;header hdr;
temporary tmp temp;previous prev;current cur curr;reference ref;variable var;object obj;
pointer ptr;string str;number num;character char;integer int;boolean bool;dictionary dict;
document doc;administration admin;application app;information info;internationalization i18n;
language lang;memory mem;network net;process proc;register reg;sequence seq;synchronous sync;
asynchronous async;system sys;certificate cert;credential cred;address addr;allocate alloc;
calculate calc;callback cb;channel chan;coordinate coord;declaration decl;definition def;
description desc;difference diff;evaluate eval;extension ext;format fmt;identifier ident id;
image img;iterator iter;maximum max;minimum min;modification mod;multiply mul;navigation nav;
organization org;original orig;permission perm;position pos;preference pref;random rand;
regular reg;result res;select sel;separator sep;server srv;standard std;statistics stat;
structure struct;subscription sub;symbol sym;table tbl;template tmpl tpl;terminal term tty;
timestamp ts;token tok;value val;vector vec;version ver;window win;interface iface;
thread thr;event evt;javascript js;typescript ts;markdown md;kubernetes k8s;localization l10n;
accessibility a11y;arithmetic arith;assembly asm;binary bin;block blk;compression comp;
concurrency concurrent;container ctr;controller ctrl;descriptor desc;device dev;driver drv;
instruction insn inst;interrupt irq;keyboard kbd;length len;level lvl;logarithm log;
middleware mw;module mod;optimize opt;option opt;packet pkt;pattern pat;performance perf;
priority prio;protocol proto;queue q;receive recv;record rec;recursive rec;response rsp;
return ret;schedule sched;security sec;segment seg;semaphore sem;signal sig;socket sock;
synchronize sync;syntax syn;transfer xfer;transmit xmit;translate trans;volume vol
"""


@cache
def _table() -> dict[str, frozenset[str]]:
    """Return stem -> stems of the forms that mean the same, in both directions."""
    found: dict[str, set[str]] = {}
    for group in _TABLE.replace("\n", "").split(";"):
        word, *short_forms = (stem(form) for form in group.split())
        for short in short_forms:
            found.setdefault(word, set()).add(short)
            found.setdefault(short, set()).add(word)
    return {form: frozenset(others) for form, others in found.items()}


@lru_cache(maxsize=65_536)
def other_forms(term: str) -> frozenset[str]:
    """Return the stems that a stem abbreviates or is abbreviated by.

    >>> sorted(other_forms("context")), sorted(other_forms("ctx"))
    (['ctx', 'ctxt'], ['context'])
    """
    return _table().get(term, frozenset())
