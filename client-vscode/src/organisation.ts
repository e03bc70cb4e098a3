/** Asks all repositories of an organisation, by the service that the user's settings name. */
import * as vscode from "vscode";
import { askForQuestion } from "./askBox";
import type { Parts } from "./commands";
import { organisationService } from "./settings";

const SETTING = "scope.organisation.service";

/** Asks what the user types; without a service it says where one is named. */
export async function askOrganisation(parts: Parts): Promise<void> {
  const service = organisationService();
  if (service === "") {
    const message =
      "Scope: No organisation is set up. Name a service of your PostgreSQL service file.";
    const open = "Open Setting";
    if ((await vscode.window.showInformationMessage(message, open)) === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", SETTING);
    }
    return;
  }
  const asked = await askForQuestion(parts, {
    title: `Scope: Ask the Organisation (${service})`,
    placeholder: "Where do we retry a failed request?",
  });
  if (asked !== undefined) {
    await parts.history.add(asked.question);
    const { question } = asked;
    await parts.panels.ask({ question, organisation: true }, `all repositories of ${service}`);
  }
}
