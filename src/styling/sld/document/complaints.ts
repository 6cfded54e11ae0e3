/** Collects all errors and warnings of a document, so that one response reports them all. */
import { type FieldError, type Problem, problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { createElementPathLookup } from '../../../lib/xml/element-paths.ts';

/** Limits the response size for hostile documents; longer lists do not help. */
const maxComplaints = 100;

/** Warnings are sent in headers, and clients accept only a few dozen. */
const maxWarnings = 10;

interface Complaint {
  readonly element: XmlElement;
  readonly message: string;
}

type LazyMessage = string | (() => string);

export class Complaints {
  readonly #root: XmlElement;
  readonly #isStrict: boolean;
  readonly #complaints: Complaint[] = [];
  readonly #warnings: Complaint[] = [];
  #count = 0;
  #warningCount = 0;

  /** In strict handling, warnings become errors. */
  constructor(root: XmlElement, isStrict = false) {
    this.#root = root;
    this.#isStrict = isStrict;
  }

  get isStrict(): boolean {
    return this.#isStrict;
  }

  /** Adds an error in any handling. The message starts in lower case and has no full stop. */
  reject(element: XmlElement, message: LazyMessage): void {
    this.#count += 1;
    addComplaint(this.#complaints, element, message);
  }

  /** Adds a deviation whose part is ignored: an error in strict handling, otherwise a warning. */
  add(element: XmlElement, message: LazyMessage): void {
    this.warnUnlessStrict(element, message);
  }

  /**
   * Adds a warning about a tolerable deviation. `message` states how it is interpreted, `inStrict` what is wrong, if
   * that differs.
   */
  warnUnlessStrict(element: XmlElement, message: LazyMessage, inStrict: LazyMessage = message): void {
    if (this.#isStrict) {
      this.reject(element, inStrict);
      return;
    }
    this.#warningCount += 1;
    addComplaint(this.#warnings, element, message);
  }

  /** Returns whether there are neither errors nor warnings. */
  isEmpty(): boolean {
    return this.#count === 0 && this.#warningCount === 0;
  }

  /** Returns the warnings as sentences, up to a limit, with the number of omitted ones. */
  toWarnings(): readonly string[] {
    if (this.#warningCount === 0) return noWarnings;
    const shown = sortComplaints(this.#warnings).slice(0, maxWarnings);
    const more = this.#warningCount - shown.length;
    return [
      ...shown.map(({ element: { line, column }, message }) => `Line ${line}, column ${column}: ${message}.`),
      ...(more > 0 ? [`And ${more} more ${more === 1 ? 'deviation' : 'deviations'} from the SLD schema.`] : []),
    ];
  }

  /** Returns the problem to throw, or undefined if there are no errors. */
  toProblem(): Problem | undefined {
    if (this.#count === 0) return undefined;
    const pathOf = createElementPathLookup(this.#root);
    const complaints = sortComplaints(this.#complaints).map(({ element, message }): FieldError => {
      const { line, column } = element;
      return {
        field: pathOf(element) ?? element.name,
        message: `line ${line}, column ${column}: ${message}`,
      };
    });
    return problem('style-invalid', { language: 'SLD', count: this.#count, complaints });
  }
}

const noWarnings: readonly string[] = Object.freeze([]);

function addComplaint(list: Complaint[], element: XmlElement, message: LazyMessage): void {
  if (list.length >= maxComplaints) return;
  list.push({ element, message: typeof message === 'string' ? message : message() });
}

function sortComplaints(complaints: readonly Complaint[]): readonly Complaint[] {
  return complaints.toSorted((a, b) => a.element.line - b.element.line || a.element.column - b.element.column);
}
