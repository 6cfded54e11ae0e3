/** Reason phrases of statuses. Importing `node:http` would also load Node's fetch and WebSocket at every start. */
export const statusTexts = process.getBuiltinModule('node:http').STATUS_CODES;
