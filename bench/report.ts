/** The table that the bench prints: each figure with its baseline, ratio and target. */

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly aim: string;
  readonly met: boolean;
}

export interface Report {
  /** The figures of several runs are in one line. */
  add(row: Row): void;
  /** A measurement that is unavailable on this machine, and why. */
  skip(what: string, reason: string): void;
  table(): string;
}

/** Prints each figure as soon as it is available. */
export function createReport(tell: (line: string) => void): Report {
  const rows = new Map<string, Row[]>();
  const skipped = new Map<string, string>();
  return {
    add(row) {
      tell(`${verdict([row]).padEnd(6)} ${row.what}: ${row.measured}, ratio ${row.ratio} (aim: ${row.aim})`);
      rows.set(row.what, [...(rows.get(row.what) ?? []), row]);
    },
    skip(what, reason) {
      tell(`skipped ${what}: ${reason}`);
      skipped.set(what, reason);
    },
    table() {
      const header = '| What | Measured | Baseline in the same run | Ratio | Aim | |\n|---|---|---|---|---|---|';
      const lines = [...rows].map(([what, runs]) => {
        const each = (value: (row: Row) => string) => runs.map(value).join('; ');
        const figures = [each((row) => row.measured), each((row) => row.baseline), each((row) => row.ratio)];
        return `| ${[what, ...figures, runs[0]?.aim ?? '', verdict(runs)].join(' | ')} |`;
      });
      const unmeasured = [...skipped].map(([what, reason]) => `| ${what} | not measured: ${reason} | | | | |`);
      return `${[header, ...lines, ...unmeasured].join('\n')}\n`;
    },
  };
}

function verdict(runs: readonly Row[]): string {
  const met = runs.filter((row) => row.met).length;
  return met === runs.length ? 'met' : met === 0 ? 'missed' : `met in ${met} of ${runs.length}`;
}
