/** What statuses are called. An import of `node:http` would load Node's fetch and WebSocket as well, at every start. */
export const statusTexts = process.getBuiltinModule('node:http').STATUS_CODES;
