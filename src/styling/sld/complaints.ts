/** Collects everything that is wrong with a document, so that one reply can tell it all. */
import { excerpt } from '../../lib/excerpt.ts';
import { type FieldComplaint, type Problem, problem } from '../../lib/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';

/** Beyond this many a list helps nobody, and a hostile document must not grow a reply without end. */
const maxComplaints = 100;

interface Complaint {
  readonly element: XmlElement;
  readonly message: string;
}

export class Complaints {
  readonly #root: XmlElement;
  readonly #complaints: Complaint[] = [];
  #count = 0;

  constructor(root: XmlElement) {
    this.#root = root;
  }

  /** Notes what is wrong with an element; the sentence begins in lower case and has no full stop. */
  add(element: XmlElement, message: string | (() => string)): void {
    this.#count += 1;
    if (this.#complaints.length >= maxComplaints) return;
    this.#complaints.push({ element, message: typeof message === 'string' ? message : message() });
  }

  /** The problem to throw, or undefined if nothing was wrong. */
  toProblem(): Problem | undefined {
    if (this.#count === 0) return undefined;
    const paths = pathsIn(this.#root);
    const complaints = this.#complaints
      .toSorted((a, b) => a.element.line - b.element.line || a.element.column - b.element.column)
      .map(({ element, message }): FieldComplaint => {
        const { line, column } = element;
        return { field: paths.get(element) ?? element.name, message: `line ${line}, column ${column}: ${message}` };
      });
    return problem('style-invalid', { language: 'SLD', count: this.#count, complaints });
  }
}

/** Where each element stands, such as `StyledLayerDescriptor/NamedLayer[2]/Name`; counted where several have the name. */
function pathsIn(root: XmlElement): ReadonlyMap<XmlElement, string> {
  const paths = new Map<XmlElement, string>();
  const visit = (element: XmlElement, path: string): void => {
    paths.set(element, path);
    const children = element.children.filter((child) => child.kind === 'element');
    const totals = Map.groupBy(children, ({ local }) => local);
    for (const [local, siblings] of totals) {
      for (const [index, child] of siblings.entries()) {
        visit(child, `${path}/${excerpt(local)}${siblings.length > 1 ? `[${index + 1}]` : ''}`);
      }
    }
  };
  visit(root, excerpt(root.local));
  return paths;
}
