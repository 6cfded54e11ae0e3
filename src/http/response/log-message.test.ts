import { expect, it } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { formatLogMessage } from './log-message.ts';

const path = '/geoserver/rest/workspaces/my%20ws.json';

it('tells names that stand in the path', () => {
  expect(formatLogMessage(problem('workspace-unknown', { name: 'my ws' }), path)).toBe("No such workspace: 'my ws'.");
});

it('does not tell what was sent in the body', () => {
  expect(formatLogMessage(problem('workspace-unknown', { name: 'hunter2' }), path)).toBe("No such workspace: '…'.");
});

it.each(["hunter2' or 'x", "a 'b", 'a "b'])('does not tell it where it has quotes of its own: %s', (name) => {
  expect(formatLogMessage(problem('workspace-unknown', { name }), path)).toBe("No such workspace: '…'.");
});

it('tells which query parameter is wrong, but not its value', () => {
  const wrong = { parameter: 'recurse', value: 'hunter2', expected: 'true or false', field: 'recurse' };

  expect(formatLogMessage(problem('query-invalid', wrong), path)).toBe(
    "Invalid value '…' for the query parameter 'recurse'. Expected true or false.",
  );
});

it('tells where a document is wrong, but not what stands there', () => {
  const complaints = [
    { field: 'workspace.isolated', message: "true or false was expected, but 'it's hunter2' was found" },
  ];

  expect(formatLogMessage(problem('document-invalid', { complaints, field: 'workspace.isolated' }), path)).toBe(
    "workspace.isolated: true or false was expected, but '…' was found",
  );
});
