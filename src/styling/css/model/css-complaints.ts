/** Collects all errors and warnings of a style sheet, so that one response reports them all. */

import { type FieldError, type Problem, problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { TextCursor } from '../../../lib/text/text-position.ts';

/** Limits the response size for hostile documents; longer lists do not help. */
const maxComplaints = 100;

/** Warnings are sent in headers, and clients accept only a few dozen. */
const maxWarnings = 10;

/** After this many errors the text is not a style sheet, and reading stops. */
const stopAfterComplaints = 1_000;

interface Complaint {
  readonly offset: number;
  readonly field: string;
  readonly message: string;
}

export class CssComplaints {
  readonly #text: string;
  readonly #isStrict: boolean;
  readonly #complaints: Complaint[] = [];
  readonly #warnings: Complaint[] = [];
  #count = 0;
  #warningCount = 0;

  /** In strict handling, warnings become errors. */
  constructor(text: string, isStrict = false) {
    this.#text = text;
    this.#isStrict = isStrict;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the reader should stop. */
  get isFull(): boolean {
    return this.#count >= stopAfterComplaints;
  }

  /** Adds an error at an offset. The message starts in lower case and has no full stop. */
  add(offset: number, field: string, message: string): void {
    this.#count += 1;
    if (this.#complaints.length < maxComplaints) this.#complaints.push({ offset, field: excerpt(field), message });
  }

  /** Adds a warning about a tolerable deviation. `message` states how it is interpreted, `inStrict` what is wrong. */
  warnUnlessStrict(offset: number, field: string, message: string, inStrict: string): void {
    if (this.#isStrict) {
      this.add(offset, field, inStrict);
      return;
    }
    this.#warningCount += 1;
    if (this.#warnings.length < maxComplaints) this.#warnings.push({ offset, field, message });
  }

  /** Returns the warnings as sentences, up to a limit, with the number of omitted ones. */
  toWarnings(): readonly string[] {
    const cursor = new TextCursor(this.#text);
    const shown = this.#warnings.toSorted((a, b) => a.offset - b.offset).slice(0, maxWarnings);
    const more = this.#warningCount - shown.length;
    return [
      ...shown.map(({ offset, message }) => {
        const { line, column } = cursor.moveTo(offset);
        return `Line ${line}, column ${column}: ${message}.`;
      }),
      ...(more > 0 ? [`And ${more} more ${more === 1 ? 'deviation' : 'deviations'} from the CSS syntax.`] : []),
    ];
  }

  /** Returns the problem to throw, or undefined if there are no errors. */
  toProblem(): Problem | undefined {
    if (this.#count === 0) return undefined;
    const cursor = new TextCursor(this.#text);
    const complaints = this.#complaints
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, field, message }): FieldError => {
        const { line, column } = cursor.moveTo(offset);
        return { field, message: `line ${line}, column ${column}: ${message}` };
      });
    return problem('style-invalid', { language: 'CSS', count: this.#count, complaints });
  }
}
