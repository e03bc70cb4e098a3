/** The quick input that takes a question, offers earlier ones, and shows what is attached. */
import * as vscode from "vscode";
import type { Attachment } from "./attach/attachment";
import { aboutOf, attach, detach, KINDS } from "./attach/attachment";
import type { Names } from "./attach/names";
import { triggerIn } from "./attach/trigger";
import type { History } from "./history";

/** A question with what goes along with it. */
export interface Asked {
  question: string;
  attached: readonly Attachment[];
}

interface Choice extends vscode.QuickPickItem {
  question?: string;
  attached?: Attachment;
  suggested?: Attachment;
}

const ICONS: Record<Attachment["kind"], string> = {
  selection: "list-selection",
  symbol: "symbol-method",
  problem: "warning",
  file: "file",
  folder: "folder",
  changes: "git-compare",
};
const PAUSE_MS = 120; // between the last key and the look for names
const forget: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("close"),
  tooltip: "Forget this question",
};
const remove: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("close"),
  tooltip: "Remove from the question",
};

/** What the box is opened with. */
export interface AskBoxOptions {
  title: string;
  placeholder: string;
  attached?: readonly Attachment[];
  /** A question that was begun elsewhere. */
  value?: string;
}

/** Returns the question that the user typed or chose; undefined if they left. */
export function askForQuestion(
  { history, names }: { history: History; names: Names },
  options: AskBoxOptions,
): Promise<Asked | undefined> {
  return new Promise((resolve) => new AskBox(history, names, options, resolve).show());
}

class AskBox {
  private readonly box = vscode.window.createQuickPick<Choice>();
  private attached: readonly Attachment[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly history: History,
    private readonly names: Names,
    private readonly options: AskBoxOptions,
    private readonly resolve: (asked: Asked | undefined) => void,
  ) {
    const { box } = this;
    this.attached = options.attached ?? [];
    box.placeholder = `${options.placeholder}  (# attaches a file, folder, symbol or #changes)`;
    box.value = options.value ?? "";
    box.ignoreFocusOut = true;
    box.onDidChangeValue(() => this.refresh());
    box.onDidTriggerItemButton(({ item }) => void this.onButton(item));
    box.onDidAccept(() => this.onAccept());
    box.onDidHide(() => {
      clearTimeout(this.timer);
      this.resolve(undefined); // no effect after an accepted question
      box.dispose();
    });
    this.refresh();
  }

  show(): void {
    this.box.show();
  }

  private refresh(): void {
    const { box } = this;
    const about = aboutOf(this.attached);
    box.title = about === "" ? this.options.title : `${this.options.title} about ${about}`;
    clearTimeout(this.timer);
    const trigger = triggerIn(box.value);
    if (trigger !== undefined) {
      this.timer = setTimeout(() => void this.suggest(trigger.name), PAUSE_MS);
      return;
    }
    box.busy = false;
    const [asked, earlier] = [this.typed(), this.earlier()];
    box.items = [...asked, ...attachedRows(this.attached), ...earlier];
  }

  private async suggest(name: string): Promise<void> {
    this.box.busy = true;
    const found = await this.names.suggestions(name);
    if (triggerIn(this.box.value)?.name === name) {
      this.box.busy = false;
      this.box.items = found.length > 0 ? found.map(suggestedRow) : [...this.typed()];
    }
  }

  private typed(): Choice[] {
    const question = this.box.value.trim();
    const label = `$(search) ${question}`;
    return question === "" ? [] : [{ label, question, alwaysShow: true, description: "Ask" }];
  }

  private earlier(): Choice[] {
    const typed = this.box.value.trim();
    return this.history
      .list()
      .filter((question) => question !== typed)
      .map((question) => ({ label: `$(history) ${question}`, question, buttons: [forget] }));
  }

  private async onButton(item: Choice): Promise<void> {
    if (item.attached !== undefined) {
      this.detach(item.attached);
    } else if (item.question !== undefined) {
      await this.history.remove(item.question);
      this.refresh();
    }
  }

  private onAccept(): void {
    const [item] = this.box.activeItems;
    if (item?.suggested !== undefined) {
      this.attached = attach(this.attached, item.suggested);
      this.box.value = this.box.value.slice(0, triggerIn(this.box.value)?.start);
      this.refresh();
    } else if (item?.attached !== undefined) {
      this.detach(item.attached);
    } else {
      const question = (item?.question ?? this.box.value).trim();
      if (question !== "") {
        this.resolve({ question, attached: this.attached });
        this.box.hide();
      }
    }
  }

  private detach(attached: Attachment): void {
    this.attached = detach(this.attached, attached);
    this.refresh();
  }
}

function attachedRows(attached: readonly Attachment[]): Choice[] {
  const rows = attached.map((item): Choice => {
    const label = `$(${ICONS[item.kind]}) ${item.label}`;
    const description = `attached ${KINDS[item.kind]}; Enter removes it`;
    return { label, description, attached: item, alwaysShow: true, buttons: [remove] };
  });
  return rows;
}

function suggestedRow(suggested: Attachment): Choice {
  return {
    label: `$(${ICONS[suggested.kind]}) ${suggested.label}`,
    description: [`attach ${KINDS[suggested.kind]}`, suggested.detail].filter(Boolean).join(" · "),
    suggested,
    alwaysShow: true,
  };
}
