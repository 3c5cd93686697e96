import { ApiError, invalid } from '../engine/errors';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const tooLarge = () => new ApiError(431, 'headers_too_large', 'The headers are too large');

/** What Node's parser can not read never becomes a request, so that its answer is written by hand. */
export function answerUnreadable(
	error: NodeJS.ErrnoException,
	socket: Socket,
	headers: Record<string, string | number>,
): void {
	if (error.code === 'ECONNRESET' || socket.destroyed) return;
	const { status, body } =
		error.code === 'HPE_HEADER_OVERFLOW'
			? tooLarge()
			: invalid([{ code: 'malformed', param: 'request', message: 'cannot be read' }]);
	const content = JSON.stringify(body);
	const lines = Object.entries({
		...headers,
		'Content-Type': 'application/json; charset=utf-8',
		'Content-Length': Buffer.byteLength(content),
		Connection: 'close',
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	if (socket.writable) {
		socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${content}`);
	}
	socket.destroySoon();
}
