/**
 * The work on one style: its text, the stored text that it comes from, and what the server says about it. A text that
 * is not saved stays in the storage of the tab until it is saved or discarded.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { dropAnswers } from '../../../rest/cache.ts';
import { callRest, type RestReply } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import { detectSldVersion, getMediaType, type StyleFormat } from '../../../style-text/languages.ts';
import type { StyleProblem } from '../../../style-text/problems.ts';
import { getRestPath, readStyleSld, readStyleText, type StylePlace, type StyleText } from '../style-documents.ts';
import { checkStyle } from './check-style.ts';

/** The pause after the last key before the text is checked. */
const CHECK_DELAY_MS = 300;

const CHANGED_MEANWHILE = 412;

export type CheckState = 'waiting' | 'checked' | 'failed';

export class StyleSession {
  readonly place: StylePlace;
  readonly language: StyleFormat['language'];
  readonly text = signal('');
  /** The stored text that the work began with. */
  readonly base = signal<StyleText>({ text: '', etag: '' });
  readonly problems = signal<readonly StyleProblem[]>([]);
  /** The last valid text as SLD, which the map shows. */
  readonly sld = signal<string | undefined>(undefined);
  readonly checkState = signal<CheckState>('waiting');
  readonly checkError = signal<unknown>(undefined);
  /** The stored text that another user has written since. */
  readonly conflict = signal<StyleText | undefined>(undefined);
  readonly isDirty: ReadonlySignal<boolean> = computed(() => this.text.value !== this.base.value.text);
  readonly #version: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(place: StylePlace, format: StyleFormat, stored: StyleText) {
    this.place = place;
    this.language = format.language;
    this.#version = format.version;
    this.base.value = stored;
    const draft = this.#readDraft();
    this.text.value = draft?.text ?? stored.text;
    if (draft !== undefined) this.base.value = { text: stored.text, etag: draft.etag };
    void this.#check();
  }

  get format(): StyleFormat {
    const { language } = this;
    return { language, version: language === 'sld' ? detectSldVersion(this.text.peek(), this.#version) : '1.0.0' };
  }

  setText(text: string): void {
    if (text === this.text.peek()) return;
    this.text.value = text;
    this.#keepDraft();
    this.checkState.value = 'waiting';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_DELAY_MS);
  }

  /** Checks the text without waiting for further keys. */
  checkNow(): void {
    clearTimeout(this.#timer);
    void this.#check();
  }

  /** The stored text has changed: a text that was not edited follows it. */
  follow(stored: StyleText): void {
    if (stored.etag === this.base.peek().etag) return;
    if (this.isDirty.peek()) {
      // The precondition of the next save fails and shows the difference.
      return;
    }
    this.base.value = stored;
    this.setText(stored.text);
    this.#keepDraft();
  }

  /** Undefined if another user has changed the style: then `conflict` has their text. */
  async save(): Promise<RestReply<unknown> | undefined> {
    const text = this.text.peek();
    try {
      const reply = await callRest<unknown>(getRestPath(this.place), {
        method: 'PUT',
        body: text,
        contentType: getMediaType(this.format),
        headers: { 'if-match': this.base.peek().etag },
      });
      const stored = await readStyleText(this.place, this.language);
      // Another user may have saved since: then the next save must fail, as it does with the former tag.
      this.base.value = stored.text === text ? stored : { text, etag: this.base.peek().etag };
      this.#keepDraft();
      await dropAnswers(getRestPath(this.place));
      return reply;
    } catch (error) {
      if (!(error instanceof RestProblem) || error.status !== CHANGED_MEANWHILE) throw error;
      this.conflict.value = await readStyleText(this.place, this.language);
      return undefined;
    }
  }

  /** The next save replaces their text. */
  keepMine(): void {
    const theirs = this.conflict.peek();
    if (theirs !== undefined) this.base.value = theirs;
    this.conflict.value = undefined;
  }

  takeTheirs(): void {
    const theirs = this.conflict.peek();
    this.conflict.value = undefined;
    if (theirs === undefined) return;
    this.base.value = theirs;
    this.setText(theirs.text);
    this.#keepDraft();
  }

  discard(): void {
    this.setText(this.base.peek().text);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  async #check(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const { problems, sld } = await checkStyle(this.place, this.format, this.text.peek(), running.signal);
      if (running.signal.aborted) return;
      this.problems.value = problems;
      // The map begins with the stored style if the text that was kept is invalid.
      const shown = sld ?? this.sld.peek() ?? (await readStyleSld(this.place, running.signal).catch(() => undefined));
      if (running.signal.aborted) return;
      this.sld.value = shown;
      this.checkError.value = undefined;
      this.checkState.value = 'checked';
    } catch (error) {
      if (running.signal.aborted) return;
      this.checkError.value = error;
      this.checkState.value = 'failed';
    }
  }

  get #key(): string {
    return `graticule-style ${getRestPath(this.place)}`;
  }

  #readDraft(): StyleText | undefined {
    const kept = sessionStorage.getItem(this.#key);
    return kept === null ? undefined : (JSON.parse(kept) as StyleText);
  }

  #keepDraft(): void {
    if (!this.isDirty.peek()) {
      sessionStorage.removeItem(this.#key);
      return;
    }
    try {
      sessionStorage.setItem(this.#key, JSON.stringify({ text: this.text.peek(), etag: this.base.peek().etag }));
    } catch {
      // A text beyond the quota of the browser stays in memory only.
    }
  }
}
