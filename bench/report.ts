/** The table the bench prints: each figure beside its baseline, its ratio and its aim. */

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly aim: string;
  readonly met: boolean;
}

export interface Report {
  add(row: Row): void;
  /** Something that could not be measured here, and why. */
  skip(what: string, reason: string): void;
  table(): string;
}

/** Tells each figure as soon as it is there. */
export function createReport(tell: (line: string) => void): Report {
  const lines: string[] = [];
  return {
    add(row) {
      const verdict = row.met ? 'met' : 'missed';
      tell(`${verdict.padEnd(6)} ${row.what}: ${row.measured}, ratio ${row.ratio} (aim: ${row.aim})`);
      lines.push(`| ${row.what} | ${row.measured} | ${row.baseline} | ${row.ratio} | ${row.aim} | ${verdict} |`);
    },
    skip(what, reason) {
      tell(`skipped ${what}: ${reason}`);
      lines.push(`| ${what} | not measured: ${reason} | | | | |`);
    },
    table() {
      const header = '| What | Measured | Baseline in the same run | Ratio | Aim | |\n|---|---|---|---|---|---|';
      return `${[header, ...lines].join('\n')}\n`;
    },
  };
}
