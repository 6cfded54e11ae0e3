/** Collects everything that is wrong with a style sheet, or only odd, so that one reply can tell it all. */

import { type FieldError, type Problem, problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { TextCursor } from '../../../lib/text/text-position.ts';

/** Beyond this many a list helps nobody, and a hostile document must not grow a reply without end. */
const maxComplaints = 100;

/** They travel in headers, of which clients take some dozens. */
const maxWarnings = 10;

/** After so many, what is read is no style sheet, and reading on is a waste. */
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

  /** In strict handling nothing is forgiven. */
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

  /** Notes what is wrong at an offset; the sentence begins in lower case and has no full stop. */
  add(offset: number, field: string, message: string): void {
    this.#count += 1;
    if (this.#complaints.length < maxComplaints) this.#complaints.push({ offset, field: excerpt(field), message });
  }

  /**
   * Notes what should not be but cannot be misunderstood. The sentence says how it is understood, `inStrict` what is
   * wrong with it.
   */
  warnUnlessStrict(offset: number, field: string, message: string, inStrict: string): void {
    if (this.#isStrict) {
      this.add(offset, field, inStrict);
      return;
    }
    this.#warningCount += 1;
    if (this.#warnings.length < maxComplaints) this.#warnings.push({ offset, field, message });
  }

  /** What was forgiven, as sentences for whoever has sent it: the first of them, and how many more there are. */
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

  /** The problem to throw, or undefined if nothing was wrong. */
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
