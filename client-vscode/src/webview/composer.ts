/** The box for a follow-up question at the end of the thread. */
import { icon } from "./icons";

/** Grows with its text, sends on Enter; Shift+Enter makes a new line. */
export class Composer {
  private readonly form = document.querySelector<HTMLFormElement>("#composer");
  private readonly box = document.querySelector<HTMLTextAreaElement>("#question");
  private readonly send = document.querySelector<HTMLButtonElement>("#send");

  constructor(private readonly onQuestion: (question: string) => void) {
    this.send?.append(icon("arrowUp"));
    this.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.box?.addEventListener("input", () => this.fit());
    this.box?.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.submit();
      }
    });
    this.fit();
  }

  /** Shows the box once there is an answer to follow up on; it waits while one is written. */
  show(isPossible: boolean, isBusy: boolean): void {
    if (this.form !== null && this.send !== null) {
      this.form.hidden = !isPossible;
      this.form.dataset.busy = String(isBusy);
      this.fit();
    }
  }

  private submit(): void {
    const question = this.box?.value.trim() ?? "";
    if (question !== "" && this.form?.dataset.busy !== "true" && this.box !== null) {
      this.box.value = "";
      this.fit();
      this.onQuestion(question);
    }
  }

  private fit(): void {
    if (this.box !== null && this.send !== null && this.form !== null) {
      this.box.style.height = "auto";
      this.box.style.height = `${Math.min(this.box.scrollHeight + 2, 160)}px`;
      this.send.disabled = this.box.value.trim() === "" || this.form.dataset.busy === "true";
    }
  }
}
