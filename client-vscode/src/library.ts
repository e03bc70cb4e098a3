/**
 * The library of the Language Server Protocol, which is four fifths of the extension's code: it is
 * run when a server is first started, not while the window opens.
 */
import type { NotificationType, RequestType } from "vscode-languageclient/node";

type Library = typeof import("vscode-languageclient/node");

/** Returns the library; to run it takes some hundredths of a second, once. */
export function library(): Library {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would run it at once
  return require("vscode-languageclient/node") as Library;
}

/** Returns the type of a request, which is made when it is first sent. */
export function request<Params, Result>(method: string): RequestType<Params, Result, void> {
  return lazily(() => new (library().RequestType)<Params, Result, void>(method));
}

/** Returns the type of a notification, which is made when it is first sent or waited for. */
export function notification<Params>(method: string): NotificationType<Params> {
  return lazily(() => new (library().NotificationType)<Params>(method));
}

function lazily<T extends object>(make: () => T): T {
  let made: T | undefined;
  const get = (_: object, name: string | symbol): unknown => Reflect.get((made ??= make()), name);
  return new Proxy({}, { get }) as T;
}
