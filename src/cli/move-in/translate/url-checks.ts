/** Translates URL checks, and decides which addresses they allow. */
import { compileLinearRegex } from '../../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { listChildren } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findFlag, findText } from '../read/values.ts';
import type { Move } from './move.ts';

const SOURCE = 'security/urlchecks.xml';

export class UrlChecks {
  readonly #move: Move;
  /** The expressions of enabled checks. */
  readonly #expressions: string[];
  readonly #hosts = new Map<string, string>();

  constructor(move: Move) {
    this.#move = move;
    this.#expressions = [...move.options.targetUrlChecks];
  }

  async translate(): Promise<void> {
    const { documents, report, archive } = this.#move;
    const root = await documents.read(SOURCE, ['checks'], 'urlCheck');
    if (root === undefined) return;
    const isOn = findFlag(root, 'enabled') ?? true;
    for (const check of listChildren(root, 'regex')) {
      const name = findText(check, 'name');
      const regex = findText(check, 'regex');
      const subject = { source: `${SOURCE}#${name ?? ''}`, kind: 'urlCheck' };
      if (name === undefined || regex === undefined) {
        report.add('name-invalid', subject, 'The URL check has no name or no expression.');
        continue;
      }
      const enabled = isOn && findFlag(check, 'enabled') === true;
      const description = findText(check, 'description');
      const fields = { ...(description === undefined ? {} : { description }), enabled, regex };
      const isAdded = archive.add('urlCheck', createPath('urlchecks', name), fields, subject);
      if (isAdded && enabled) this.#expressions.push(regex);
    }
  }

  /** Whether the server may open the URL; adds a check for its origin if the options allow it. */
  allow(url: string, source: string): boolean {
    if (this.#expressions.some((expression) => matches(expression, url))) return true;
    const { origin, host } = URL.parse(url) ?? {};
    if (!this.#move.options.addsUrlChecks || origin === undefined || origin === 'null' || host === undefined)
      return false;
    if (this.#hosts.has(host)) return false;
    const regex = `^${origin.replaceAll(/[.[\]]/g, '[$&]')}/.*$`;
    const fields = { description: 'Added by move-in.', enabled: true, regex };
    this.#hosts.set(host, regex);
    this.#expressions.push(regex);
    this.#move.archive.add('urlCheck', createPath('urlchecks', `move-in ${host}`), fields, { source });
    return matches(regex, url);
  }
}

function matches(expression: string, url: string): boolean {
  try {
    return compileLinearRegex(expression, { what: 'The URL check', field: 'regex' }).matches(url);
  } catch (error) {
    // An invalid expression allows nothing.
    if (error instanceof Problem) return false;
    throw error;
  }
}
