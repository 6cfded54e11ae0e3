/** Collects all errors and warnings of a style in JSON or YAML, so that one response reports them all. */
import { type FieldError, type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { computeTextPosition } from '../../lib/text/text-position.ts';
import { type DocumentPath, formatPointer } from './document-value.ts';

/** Limits the response size for hostile documents; longer lists do not help. */
const MAX_COMPLAINTS = 100;

/** Warnings are sent in headers, and clients accept only a few dozen. */
const MAX_WARNINGS = 10;

interface Complaint {
  readonly path: DocumentPath;
  readonly message: string;
}

export interface ComplaintOptions {
  /** In messages, such as `MapLibre style`. */
  readonly language: string;
  readonly text: string;
  /** Returns the offset of the value at a path, or of the nearest value around it. */
  readonly locate: (path: DocumentPath) => number;
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
  add(path: DocumentPath, message: string): void {
    this.#errorCount += 1;
    if (this.#errors.length < MAX_COMPLAINTS) this.#errors.push({ path, message });
  }

  /** Adds a warning about something that is not drawn. */
  warn(path: DocumentPath, message: string): void {
    this.#warningCount += 1;
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push({ path, message });
  }

  /** Adds a warning about a deviation from the language, which is an error in strict handling. */
  warnUnlessStrict(path: DocumentPath, message: string): void {
    if (this.#options.isStrict) this.add(path, message);
    else this.warn(path, `${message}; it is ignored`);
  }

  /** Returns the warnings as sentences, with the number of omitted ones. */
  toWarnings(): readonly string[] {
    const more = this.#warningCount - this.#warnings.length;
    return [
      ...this.#warnings.map(
        ({ path, message }) => `${formatPointer(path)}, ${this.#formatPosition(path)}: ${message}.`,
      ),
      ...(more > 0 ? [`And ${more} more ${more === 1 ? 'item' : 'items'} without effect.`] : []),
    ];
  }

  /** Returns the problem to throw, or undefined if there are no errors. */
  toProblem(): Problem | undefined {
    if (this.#errorCount === 0) return undefined;
    const complaints = this.#errors.map(
      ({ path, message }): FieldError => ({
        field: excerpt(formatPointer(path)),
        message: `${this.#formatPosition(path)}: ${message}`,
      }),
    );
    return problem('style-invalid', { language: this.#options.language, count: this.#errorCount, complaints });
  }

  #formatPosition(path: DocumentPath): string {
    const { line, column } = computeTextPosition(this.#options.text, this.#options.locate(path));
    return `line ${line}, column ${column}`;
  }
}
