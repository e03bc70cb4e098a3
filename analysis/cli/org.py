"""``scope org``: make and keep the index of an organisation, which ``scope ask org:`` asks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import FormatOption, Output

if TYPE_CHECKING:
    from analysis.models import Answer
    from analysis.org.asking import OrganisationAnswer
    from analysis.org.publishing import Publication

AddressArgument = Annotated[
    str,
    typer.Argument(
        help="postgresql://user@host/database, or a service of libpq's service file.",
        show_default="what PGSERVICE, PGHOST and the like say",
    ),
]
AddressOption = Annotated[
    str, typer.Option("--at", metavar="ADDRESS", help="Which organisation, if not the usual one.")
]
_MOST_LISTED = 20


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Keep the index of an organisation.")
    group.command()(init)
    group.command()(status)
    group.command()(gc)
    group.command("allow")(allow_reader)
    group.command("deny")(deny_reader)
    group.command()(mentions)
    app.add_typer(group, name="org")


def init(address: AddressArgument = "") -> None:
    """Make the tables and roles in a database, or bring older ones up to this version."""
    from analysis.org.migrating import migrate
    from analysis.org.organisation import Organisation

    with Organisation.open(address) as organisation:
        made = migrate(organisation)
    done = f"Made: {', '.join(made)}." if made else "Everything is there already."
    typer.echo(f"{done} Give people the role scope_reader, and build machines scope_publisher.")


def status(address: AddressArgument = "", *, output_format: FormatOption = Output.text) -> None:
    """Show the repositories that you can see."""
    from analysis.cli.console import write_data, write_text
    from analysis.json_output import plain
    from analysis.org.organisation import Organisation
    from analysis.org.upkeep import organisation_status

    with Organisation.open(address) as organisation:
        found = organisation_status(organisation)
    if output_format is Output.json:
        write_data(plain(found), "json")
        return
    lines = [
        f"{one.name}  {one.branch}  {one.commit[:12]}  {one.published_at:%Y-%m-%d %H:%M}"
        f"  {one.files} files" + (f"  seen by {', '.join(one.readers)}" if one.readers else "")
        for one in found.repositories
    ]
    lines.append(f"{len(found.repositories)} repositories, {found.files} files, as {found.login}.")
    write_text("\n".join(lines) + "\n")


def gc(address: AddressArgument = "") -> None:
    """Remove what no visible commit has any more."""
    from analysis.org.organisation import Organisation
    from analysis.org.upkeep import collect

    with Organisation.open(address) as organisation:
        done = collect(organisation)
    typer.echo(f"{done.contents} texts and {done.segments} parts of the index were removed.")


RepositoryArgument = Annotated[str, typer.Argument(help="Name of the repository.")]
RoleArgument = Annotated[str, typer.Argument(help="Role of the database: a login or a group.")]


def allow_reader(
    repository: RepositoryArgument, role: RoleArgument, *, at: AddressOption = ""
) -> None:
    """Let a role see a repository."""
    from analysis.org.organisation import Organisation
    from analysis.org.upkeep import allow

    with Organisation.open(at) as organisation:
        allow(organisation, repository, role)
    typer.echo(f"{role} sees {repository}.")


def deny_reader(
    repository: RepositoryArgument, role: RoleArgument, *, at: AddressOption = ""
) -> None:
    """Let a role see a repository no more."""
    from analysis.org.organisation import Organisation
    from analysis.org.upkeep import deny

    with Organisation.open(at) as organisation:
        deny(organisation, repository, role)
    typer.echo(f"{role} sees {repository} no more.")


_ANSWERS = {
    "uses": "Uses it",
    "may use": "May use it",
    "does not use": "Has the name, and does not use it as far as code, manifests and imports tell",
}


def mentions(
    name: Annotated[str, typer.Argument(help="Identifier in exact case, or Class.method.")],
    *,
    of: Annotated[str, typer.Option(metavar="REPOSITORY", help="Which makes the package.")],
    at: AddressOption = "",
    output_format: FormatOption = Output.text,
) -> None:
    """Find who uses a definition of one repository's package in the other ones."""
    from analysis.cli.console import write_data, write_text
    from analysis.json_output import plain
    from analysis.org.organisation import Organisation
    from analysis.org.users import mentions_across

    with Organisation.open(at) as organisation:
        found = mentions_across(organisation, name, of)
    if output_format is Output.json:
        write_data(plain(found), "json")
        return
    lines = [
        f"{one.kind} {one.qualified_name}: {one.path.partition('/')[2]}:{one.line}"
        for one in found.definitions
    ]
    if not found.definitions:
        lines.append(f"{of} has no definition called {name!r}; what could use one is listed.")
    for one in found.repositories:
        needs = f", needs it by {', '.join(one.manifests)}" if one.manifests else ""
        lines.append(f"{one.head.name} at {one.head.commit[:12]}{needs}")
        last = ""
        for mention in one.mentions:
            if mention.answer != last:
                last = mention.answer
                lines.append(f"  {_ANSWERS[last]}:")
            lines.append(f"    {mention.path}:{mention.line}  {mention.text}")
        if not one.mentions:
            lines.append("  Does not have the name.")
        elif one.complete:
            lines.append("  Complete: every place in its published files was decided.")
    lines.append(
        f"{found.visible} repositories were looked through for {name!r}, in all of their published"
        " files."
    )
    write_text("\n".join(lines) + "\n")


def asked(address: str, question: str, top_k: int) -> OrganisationAnswer:
    """Return what an organisation's repositories have; ``address`` as after ``org:``."""
    from analysis.cli.options import settings_for
    from analysis.org.asking import Asking
    from analysis.org.organisation import Organisation

    address = address or settings_for(None).organisation.service or ""
    with Organisation.open(address) as found:
        return Asking(found).ask(question, top_k)


def answered(
    address: str, question: str, top_k: int, output: Path | None
) -> tuple[Answer, OrganisationAnswer]:
    """Return the document that answers a question to an organisation, and what it is made of."""
    import time

    from analysis.cli.options import settings_for
    from analysis.documents.links import public_url
    from analysis.documents.write import organisation_target
    from analysis.org.answer_document import written_answer

    settings = settings_for(None)
    address = address or settings.organisation.service or ""
    started = time.perf_counter()
    found = asked(address, question, top_k)
    target = organisation_target(Path.cwd(), output or settings.answer.output_dir)
    written = written_answer(
        found,
        public_url(address),
        target,
        settings.organisation.clones,
        time.perf_counter() - started,
    )
    return written.answer, found


def show_found(answer: OrganisationAnswer, *, as_json: bool) -> None:
    """Write the places that an organisation's repositories have to stdout."""
    from analysis.cli.console import say, write_data, write_text
    from analysis.org.answer_document import answer_data

    if as_json:
        write_data(answer_data(answer), "json")
        return
    for note in answer.notes:
        say(f"scope: {note}", style="yellow")
    lines = [
        f"{found.place.score:6.3f}  {found.head.name} at {found.head.commit[:12]}"
        f"  {found.place.path}:{found.place.line_start}-{found.place.line_end}"
        f"  {found.place.kind}  {found.place.symbol or found.place.signature}".rstrip()
        for found in answer.places
    ]
    lines.append(
        f"{len(answer.places)} places in {len(answer.chosen)} of the {answer.visible} repositories"
        f" that you can see at {answer.server}."
    )
    write_text("\n".join(lines) + "\n")


def published(
    root: Path, address: str, *, yes: bool, name: str | None, branch: str | None, readers: list[str]
) -> None:
    """Show what publishing a folder's commit would send, ask, and send it."""
    from analysis.cli.console import say
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.options import settings_for
    from analysis.cli.progress import ProgressLine
    from analysis.org.organisation import Organisation
    from analysis.org.publishing import Publisher

    with Organisation.open(address) as organisation, stopped_by_signals() as stop:
        publisher = Publisher(organisation, root, settings_for(root), name, branch)
        try:
            with ProgressLine() as progress:
                publisher.refresh(progress.on_index, stop)
            planned = publisher.preview()
            say(publication_text(planned, organisation.name))
            if planned.state != "new":
                return
            if not yes and not typer.confirm("Publish?", err=True):
                say("Nothing was sent.")
                return
            done = publisher.publish(tuple(readers))
        finally:
            publisher.close()
    say(f"{done.repository} is visible at {done.commit[:12]}.", style="bold")


def published_file(root: Path, url: str, *, yes: bool) -> None:
    """Show what putting a folder's index into a store would send, ask, and send it."""
    from analysis.cli.console import say
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.options import settings_for
    from analysis.cli.progress import ProgressLine
    from analysis.org.index_files import IndexPublisher

    with stopped_by_signals() as stop:
        publisher = IndexPublisher(root, settings_for(root), url)
        try:
            with ProgressLine() as progress:
                planned = publisher.refresh(progress.on_index, stop)
            say(
                f"The index of {planned.files} files at commit {planned.commit[:12]},"
                f" {planned.size_bytes / 1e6:.1f} MB, to {url}:"
            )
            for path in planned.struck_out:
                say(f"  {path}: secrets are struck out")
            if not yes and not typer.confirm("Publish?", err=True):
                say("Nothing was sent.")
                return
            publisher.publish(planned)
        finally:
            publisher.close()
    say(f"It can be fetched with: scope index --fetch {url}", style="bold")


def fetched(root: Path, url: str) -> None:
    """Fetch the index of a folder from a store, and say what is left to read."""
    from analysis.cli.console import say
    from analysis.cli.options import settings_for
    from analysis.org.index_files import fetch_index

    found = fetch_index(root, settings_for(root), url)
    say(
        f"Fetched the index of {found.files} files at commit {found.commit[:12]},"
        f" {found.size_bytes / 1e6:.1f} MB; {found.read_anew} files are read here."
    )


def publication_text(planned: Publication, where: str) -> str:
    """Return what publishing would do, for a person."""
    what = f"{planned.repository}, branch {planned.branch}, commit {planned.commit[:12]}"
    if planned.state == "current":
        return f"{what}: all of it is at {where} already."
    if planned.state == "older":
        return f"{what}: a newer commit is visible at {where}; nothing is published."
    lines = [
        f"{what}, to {where}:",
        f"  {len(planned.sent)} files are sent, {planned.kept} are there already,"
        f" {len(planned.removed)} go.",
        *(f"    {path}" for path in planned.sent[:_MOST_LISTED]),
    ]
    if len(planned.sent) > _MOST_LISTED:
        lines.append(f"    and {len(planned.sent) - _MOST_LISTED} more")
    lines += [
        f"  {path}: struck out: {', '.join(sorted(set(kinds)))}"
        for path, kinds in sorted(planned.struck_out.items())
    ]
    if planned.left_out:
        lines.append(f"  Never sent, for what such files hold: {', '.join(planned.left_out)}")
    return "\n".join(lines)
