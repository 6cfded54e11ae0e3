/** Collects everything that is wrong with a document, or only odd, so that one reply can tell it all. */
import { type FieldError, type Problem, problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { createElementPathLookup } from '../../../lib/xml/element-paths.ts';

/** Beyond this many a list helps nobody, and a hostile document must not grow a reply without end. */
const maxComplaints = 100;

/** They travel in headers, of which clients take some dozens. */
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

  /** In strict handling nothing is forgiven. */
  constructor(root: XmlElement, isStrict = false) {
    this.#root = root;
    this.#isStrict = isStrict;
  }

  /** Notes what is wrong with an element; the sentence begins in lower case and has no full stop. */
  add(element: XmlElement, message: LazyMessage): void {
    this.#count += 1;
    addComplaint(this.#complaints, element, message);
  }

  /**
   * Notes what should not be but cannot be misunderstood. The sentence says how it is understood; `inStrict` says what
   * is wrong with it, where that are other words.
   */
  warnUnlessStrict(element: XmlElement, message: LazyMessage, inStrict: LazyMessage = message): void {
    if (this.#isStrict) {
      this.add(element, inStrict);
      return;
    }
    this.#warningCount += 1;
    addComplaint(this.#warnings, element, message);
  }

  /** Whether everything is as it should be. */
  isEmpty(): boolean {
    return this.#count === 0 && this.#warningCount === 0;
  }

  /** What was forgiven, as sentences for whoever has sent it: the first of them, and how many more there are. */
  toWarnings(): readonly string[] {
    if (this.#warningCount === 0) return noWarnings;
    const shown = sortComplaints(this.#warnings).slice(0, maxWarnings);
    const more = this.#warningCount - shown.length;
    return [
      ...shown.map(({ element: { line, column }, message }) => `Line ${line}, column ${column}: ${message}.`),
      ...(more > 0 ? [`And ${more} more ${more === 1 ? 'deviation' : 'deviations'} from the SLD schema.`] : []),
    ];
  }

  /** The problem to throw, or undefined if nothing was wrong. */
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
