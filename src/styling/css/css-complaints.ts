/** Collects everything that is wrong with a style sheet, so that one reply can tell it all. */
import { excerpt } from '../../lib/excerpt.ts';
import { type FieldComplaint, type Problem, problem } from '../../lib/problem.ts';
import { TextCursor } from '../../lib/text-position.ts';

/** Beyond this many a list helps nobody, and a hostile document must not grow a reply without end. */
const maxComplaints = 100;

/** After so many, what is read is no style sheet, and reading on is a waste. */
const enoughComplaints = 1_000;

interface Complaint {
  readonly offset: number;
  readonly field: string;
  readonly message: string;
}

export class CssComplaints {
  readonly #text: string;
  readonly #complaints: Complaint[] = [];
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the reader should stop. */
  get isEnough(): boolean {
    return this.#count >= enoughComplaints;
  }

  /** Notes what is wrong at an offset; the sentence begins in lower case and has no full stop. */
  add(offset: number, field: string, message: string): void {
    this.#count += 1;
    if (this.#complaints.length < maxComplaints) this.#complaints.push({ offset, field: excerpt(field), message });
  }

  /** The problem to throw, or undefined if nothing was wrong. */
  toProblem(): Problem | undefined {
    if (this.#count === 0) return undefined;
    const cursor = new TextCursor(this.#text);
    const complaints = this.#complaints
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, field, message }): FieldComplaint => {
        const { line, column } = cursor.moveTo(offset);
        return { field, message: `line ${line}, column ${column}: ${message}` };
      });
    return problem('style-invalid', { language: 'CSS', count: this.#count, complaints });
  }
}
