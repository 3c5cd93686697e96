import { Server } from 'node:http';

/** Plain Node.js, because other programs load it before they start: see guardN8n.mjs and guardMailbox.mjs. */

const isLoopback = (host) => /^(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/i.test(host);

/**
 * Why the headers are not those of a program or of a page of this address: any page in the user's browser can send
 * requests here, one of another origin, or one whose name has been pointed at this machine. Programs send no `Origin`.
 */
export function refusalOf({ host = '', origin }) {
	if (!isLoopback(host)) return `The host ${host} is not this machine`;
	if (origin === undefined || origin === `http://${host}`) return undefined;
	return `A page of ${origin} cannot send requests here`;
}

/** Puts other headers into a response, at the last moment. */
function changeHeaders(response, change) {
	const { writeHead } = response;
	response.writeHead = function (status, ...rest) {
		const given = rest.find((each) => typeof each === 'object');
		for (const [name, value] of Object.entries(given ?? {})) this.setHeader(name, value);
		change(this);
		return writeHead.call(this, status);
	};
}

/**
 * Lets every web server of this process answer only requests that nothing speaks against.
 * @param refuse why a request gets no answer
 * @param change changes the headers of the others' responses
 */
export function guardServers(refuse, change) {
	const { emit } = Server.prototype;
	Server.prototype.emit = function (event, request, ...rest) {
		if (!['request', 'checkContinue', 'checkExpectation', 'upgrade'].includes(event)) {
			return emit.call(this, event, request, ...rest);
		}
		const refusal = refuse(request);
		const [answer] = rest;
		if (refusal === undefined) {
			if (change && event !== 'upgrade') {
				changeHeaders(answer, (response) => change(request, response));
			}
			return emit.call(this, event, request, ...rest);
		}
		if (event === 'upgrade') {
			answer.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${refusal}\n`);
		} else {
			answer.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' });
			answer.end(`${refusal}\n`);
		}
		return true;
	};
}
