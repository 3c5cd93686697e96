import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import type { Access } from '../../support/engine';

interface Order extends Access {
	perWindow: number;
	windowMs: number;
}

/** Another client of the account: so many requests a window, one after the other, until it is ended. */
async function send({ baseUrl, token, perWindow, windowMs }: Order): Promise<void> {
	const api = axios.create({
		baseURL: baseUrl,
		headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'other' },
		validateStatus: () => true,
	});
	process.send!({});
	for (;;) {
		const next = Date.now() + windowMs;
		for (let sent = 0; sent < perWindow; sent++) await api.get('/tags', { params: { perPage: 1 } });
		await sleep(Math.max(0, next - Date.now()));
	}
}

process.once('message', (order: Order) => void send(order));
process.once('disconnect', () => process.exit());
