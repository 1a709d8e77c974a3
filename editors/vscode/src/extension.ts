// Starts `ansatz lsp` and lets it answer; and shows a scene in the studio.

import { spawn } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("ansatz.restart", restart),
    vscode.commands.registerCommand("ansatz.studio", studio),
    vscode.workspace.onDidChangeConfiguration((change) => void (change.affectsConfiguration("ansatz.path") && restart())),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function program(): string {
  return vscode.workspace.getConfiguration("ansatz").get("path", "ansatz");
}

async function start(): Promise<void> {
  const command = program();
  client = new LanguageClient("ansatz", "Ansatz", { command, args: ["lsp"] }, { documentSelector: [{ language: "ansatz" }] });
  try {
    await client.start();
  } catch {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `Ansatz: \`${command} lsp\` could not be started. Build it with \`make studio\` and name the program in the setting \`ansatz.path\`.`,
      "Open the setting",
    );
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "ansatz.path");
  }
}

async function restart(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await start();
}

/// Saves the scene, and opens it in the browser.
async function studio(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "ansatz" || !(await document.save())) return;
  const process = spawn(program(), ["studio", "--no-open", document.fileName], { cwd: dirname(document.fileName) });
  process.on("error", (error) => void vscode.window.showErrorMessage(`Ansatz: the studio could not be started: ${error.message}`));
  let said = "";
  process.stdout.on("data", (data: Buffer) => {
    said += data.toString();
    const address = /http:\S+/.exec(said)?.[0];
    if (!address) return;
    process.stdout.removeAllListeners("data").resume();
    void vscode.env.openExternal(vscode.Uri.parse(address, true));
  });
}
