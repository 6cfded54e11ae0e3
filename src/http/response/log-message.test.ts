import { expect, it } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { formatLogMessage } from './log-message.ts';

const path = '/geoserver/rest/workspaces/my%20ws.json';

it('shows names that occur in the path', () => {
  expect(formatLogMessage(problem('workspace-unknown', { name: 'my ws' }), path)).toBe("No such workspace: 'my ws'.");
});

it('masks values of the body', () => {
  expect(formatLogMessage(problem('workspace-unknown', { name: 'hunter2' }), path)).toBe("No such workspace: '…'.");
});

it.each(["hunter2' or 'x", "a 'b", 'a "b'])('masks values that contain quotes: %s', (name) => {
  expect(formatLogMessage(problem('workspace-unknown', { name }), path)).toBe("No such workspace: '…'.");
});

it('shows the name of an invalid query parameter, but masks its value', () => {
  const wrong = { parameter: 'recurse', value: 'hunter2', expected: 'true or false', field: 'recurse' };

  expect(formatLogMessage(problem('query-invalid', wrong), path)).toBe(
    "Invalid value '…' for the query parameter 'recurse'. Expected true or false.",
  );
});

it('shows the path of an invalid field, but masks its value', () => {
  const complaints = [
    { field: 'workspace.isolated', message: "true or false was expected, but 'it's hunter2' was found" },
  ];

  expect(formatLogMessage(problem('document-invalid', { complaints, field: 'workspace.isolated' }), path)).toBe(
    "workspace.isolated: true or false was expected, but '…' was found",
  );
});

it('shows the store that has failed, which the path of a service does not contain', () => {
  const failure = problem('store-unreachable', { name: 'acme:roads', reason: 'the connection was refused' });

  expect(formatLogMessage(failure, '/geoserver/wms')).toContain("'acme:roads'");
});
