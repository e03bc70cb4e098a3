/** The box in which a question is typed, with the earlier questions below it. */
import * as vscode from "vscode";
import type { History } from "./history";

interface Choice extends vscode.QuickPickItem {
  question: string;
  isNew: boolean;
}

const forget: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("close"),
  tooltip: "Forget this question",
};

/** Returns the question that the user typed or chose; undefined if they left. */
export function askForQuestion(
  history: History,
  title: string,
  placeholder: string,
): Promise<string | undefined> {
  const box = vscode.window.createQuickPick<Choice>();
  box.title = title;
  box.placeholder = placeholder;
  box.ignoreFocusOut = true;
  const refresh = (): void => {
    box.items = choices(box.value.trim(), history.list());
  };
  refresh();
  return new Promise((resolve) => {
    box.onDidChangeValue(refresh);
    box.onDidTriggerItemButton(({ item }) => void history.remove(item.question).then(refresh));
    box.onDidAccept(() => {
      const question = (box.activeItems[0]?.question ?? box.value).trim();
      if (question !== "") {
        resolve(question);
        box.hide();
      }
    });
    box.onDidHide(() => {
      resolve(undefined); // no effect after an accepted question
      box.dispose();
    });
    box.show();
  });
}

function choices(typed: string, earlier: readonly string[]): Choice[] {
  const items: Choice[] = earlier
    .filter((question) => question !== typed)
    .map((question) => ({
      label: `$(history) ${question}`,
      question,
      isNew: false,
      buttons: [forget],
    }));
  if (typed !== "") {
    const label = `$(search) ${typed}`;
    items.unshift({ label, question: typed, isNew: true, alwaysShow: true, description: "Ask" });
  }
  return items;
}
