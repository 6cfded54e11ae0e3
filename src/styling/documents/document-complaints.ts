/** Collects all errors and warnings of a style in JSON or YAML, so that one response reports them all. */
import { type FieldError, type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { computeTextPosition } from '../../lib/text/text-position.ts';
import { type DocumentPath, formatPointer } from './document-value.ts';

/** Limits the response size for hostile documents; longer lists do not help. */
const MAX_COMPLAINTS = 100;

/** Warnings are sent in headers, and clients accept only a few dozen. */
const MAX_WARNINGS = 10;

/** Returns the offset of the value or key at a path, or of the nearest value around it. */
export type LocateInDocument = (path: DocumentPath, part: 'key' | 'value') => number;

interface Complaint {
  readonly path: DocumentPath;
  readonly part: 'key' | 'value';
  readonly message: string;
}

export interface ComplaintOptions {
  /** In messages, such as `MapLibre style`. */
  readonly language: string;
  readonly text: string;
  readonly locate: LocateInDocument;
  /** Whether tolerable deviations are errors. */
  readonly isStrict: boolean;
}

export class DocumentComplaints {
  readonly #options: ComplaintOptions;
  readonly #errors: Complaint[] = [];
  readonly #warnings: Complaint[] = [];
  #errorCount = 0;
  #warningCount = 0;

  constructor(options: ComplaintOptions) {
    this.#options = options;
  }

  /** Adds an error. The message starts in lower case and has no full stop. */
  add(path: DocumentPath, message: string, part: Complaint['part'] = 'value'): void {
    this.#errorCount += 1;
    if (this.#errors.length < MAX_COMPLAINTS) this.#errors.push({ path, part, message });
  }

  /** Adds a warning about something that is not drawn. */
  warn(path: DocumentPath, message: string, part: Complaint['part'] = 'value'): void {
    this.#warningCount += 1;
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push({ path, part, message });
  }

  /** Adds a warning about an unknown key, which is an error in strict handling. */
  warnUnlessStrict(path: DocumentPath, message: string): void {
    if (this.#options.isStrict) this.add(path, message, 'key');
    else this.warn(path, `${message}; it is ignored`, 'key');
  }

  /** Adds a warning about a wrong value with its effect, or an error in strict handling. */
  tolerate(path: DocumentPath, message: string, effect: string): void {
    if (this.#options.isStrict) this.add(path, message);
    else this.warn(path, `${message}; ${effect}`);
  }

  /** Returns the warnings as sentences, with the number of omitted ones. */
  toWarnings(): readonly string[] {
    const more = this.#warningCount - this.#warnings.length;
    return [
      ...this.#warnings.map(
        (complaint) => `${formatPointer(complaint.path)}, ${this.#formatPosition(complaint)}: ${complaint.message}.`,
      ),
      ...(more > 0 ? [`And ${more} more ${more === 1 ? 'item' : 'items'} without effect.`] : []),
    ];
  }

  /** Returns the problem to throw, or undefined if there are no errors. */
  toProblem(): Problem | undefined {
    if (this.#errorCount === 0) return undefined;
    const complaints = this.#errors.map(
      (complaint): FieldError => ({
        field: excerpt(formatPointer(complaint.path)),
        message: `${this.#formatPosition(complaint)}: ${complaint.message}`,
      }),
    );
    return problem('style-invalid', { language: this.#options.language, count: this.#errorCount, complaints });
  }

  #formatPosition({ path, part }: Complaint): string {
    const { line, column } = computeTextPosition(this.#options.text, this.#options.locate(path, part));
    return `line ${line}, column ${column}`;
  }
}
