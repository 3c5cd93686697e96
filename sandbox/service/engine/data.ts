import { UserError } from '../../lib/errors';
import type { Numbered, Row } from './store';
import type { World } from './world';
import type { ClassicLevel } from 'classic-level';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';

/** What the keys and values of a folder look like; a folder of another number can not be read. */
const format = 1;

/** How often is looked for changes, in milliseconds of the machine's time. */
const lookMs = 100;
/** Looking for changes takes at most this share of the time. */
const share = 0.05;

/** What a fleet was begun with. */
export interface Origin {
	seed: number;
	sites: number;
}

interface State {
	now: number;
	random: number;
	sequences: Record<string, number>;
	account: World['account'];
}

type Change = { type: 'put'; key: string; value: string } | { type: 'del'; key: string };

/**
 * A folder that keeps a world (a LevelDB database). Rows are changed in place, so that changes are
 * found by comparing what would be written with what was written last. All that has changed is
 * written at once: whenever the process ends, the folder holds one moment of the world.
 */
export class DataFolder {
	/** Fingerprints of what is in the folder, by key. */
	private readonly written = new Map<string, string>();
	/** The keys of the events that are in it. */
	private events: string[] = [];
	private unwritten: Change[] = [];
	private world: World | undefined;
	private savedRevision = -1;
	private timer: NodeJS.Timeout | undefined;
	private saving: Promise<void> = Promise.resolve();
	private closed = false;

	private constructor(
		private readonly database: ClassicLevel<string, string>,
		private readonly folder: string,
	) {}

	/** Opens the folder, which is made when it is not there. */
	static async open(folder: string): Promise<DataFolder> {
		await mkdir(folder, { recursive: true });
		// Loaded only here: its native part is needed by nobody who keeps nothing.
		const { ClassicLevel } = await import('classic-level');
		const database = new ClassicLevel<string, string>(folder);
		try {
			await database.open();
		} catch (error) {
			const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
			throw new UserError(
				code === 'LEVEL_LOCKED'
					? `The data folder ${folder} is in use by another service: stop it first, or use another folder`
					: `The data folder ${folder} can not be opened: ${message}`,
			);
		}
		return new DataFolder(database, folder);
	}

	/**
	 * What the fleet in the folder was begun with; nothing when the folder is empty. Fails when it is
	 * another one than what is asked for, or was written in another format.
	 */
	async originFor(wanted: Partial<Origin>): Promise<Origin | undefined> {
		const text = await this.database.get('origin');
		if (text === undefined) {
			// Nothing, or what a first start has left that did not come to its end.
			await this.database.clear();
			return undefined;
		}
		const saved = JSON.parse(text) as Origin & { format: number };
		if (saved.format !== format) {
			throw new UserError(
				`The data folder ${this.folder} was written by another version of the service: delete it to begin with a new fleet, or use another folder`,
			);
		}
		for (const name of ['sites', 'seed'] as const) {
			if (wanted[name] !== undefined && wanted[name] !== saved[name]) {
				throw new UserError(
					`The data folder ${this.folder} holds a fleet that was begun with ${name} ${saved[name]}, not ${wanted[name]}: leave that out to go on with it, delete the folder to begin with a new fleet, or use another folder`,
				);
			}
		}
		return { seed: saved.seed, sites: saved.sites };
	}

	/** Puts what is in the folder into a new world. */
	async restore(world: World): Promise<void> {
		const rows = new Map<string, Array<Numbered<Row>>>();
		for await (const [key, value] of this.database.iterator()) {
			this.written.set(key, fingerprint(value));
			const [kind, name = ''] = key.split('/', 2);
			if (kind === 'row') {
				const others = rows.get(name);
				if (others) others.push(JSON.parse(value));
				else rows.set(name, [JSON.parse(value)]);
			}
			if (kind === 'event') {
				world.timeline.restore(JSON.parse(value));
				this.events.push(key);
			}
		}
		for (const [name, collection] of world.store.collections()) {
			collection.restore(rows.get(name) ?? []);
		}
		const state = JSON.parse((await this.database.get('state'))!) as State;
		world.now = state.now;
		world.random.state = state.random;
		Object.assign(world.store.sequences, state.sequences);
		Object.assign(world.account, state.account);
	}

	/** Writes the world, and from now on every change of it soon after it happened. */
	async keep(world: World, origin: Origin): Promise<void> {
		this.world = world;
		for (const [, collection] of world.store.collections()) {
			collection.watch(() => world.isReading);
		}
		// Piece by piece, because all of a large fleet at once takes much memory.
		let piece: Change[] = [];
		for (const change of this.changes()) {
			piece.push(change);
			if (piece.length < 1000) continue;
			await this.database.batch(piece);
			piece = [];
		}
		await this.database.batch(piece);
		// Written last: without it the folder does not count.
		await this.database.put('origin', JSON.stringify({ format, ...origin }));
		this.lookIn(lookMs);
	}

	/** Writes what has changed last and closes the folder. */
	async close(): Promise<void> {
		this.closed = true;
		clearTimeout(this.timer);
		await this.saving;
		this.savedRevision = -1;
		try {
			await this.save();
		} finally {
			await this.database.close();
		}
	}

	private lookIn(ms: number): void {
		if (this.closed) return;
		this.timer = setTimeout(() => {
			const begun = performance.now();
			this.saving = this.save().catch((error: Error) => {
				console.error(`The data folder ${this.folder} can not be written: ${error.message}`);
			});
			const took = performance.now() - begun;
			void this.saving.then(() => this.lookIn(Math.max(lookMs, took / share)));
		}, ms).unref();
	}

	private async save(): Promise<void> {
		if (!this.world || this.world.revision === this.savedRevision) return;
		// What could not be written the last time comes first.
		this.unwritten.push(...this.changes());
		await this.database.batch(this.unwritten);
		this.unwritten = [];
	}

	/** What is other than what was written last. */
	private *changes(): Generator<Change> {
		const world = this.world!;
		this.savedRevision = world.revision;
		const put = (key: string, value: string): Change[] => {
			const print = fingerprint(value);
			if (this.written.get(key) === print) return [];
			this.written.set(key, print);
			return [{ type: 'put', key, value }];
		};
		const remove = (key: string): Change[] =>
			this.written.delete(key) ? [{ type: 'del', key }] : [];
		for (const [name, collection] of world.store.collections()) {
			const { rows, removed } = collection.takeChanges();
			for (const each of rows) yield* put(`row/${name}/${each.row.id}`, JSON.stringify(each));
			for (const id of removed) yield* remove(`row/${name}/${id}`);
		}
		const events = new Map(world.timeline.all().map((event) => [`event/${event.order}`, event]));
		for (const [key, event] of events) yield* put(key, JSON.stringify(event));
		for (const key of this.events) if (!events.has(key)) yield* remove(key);
		this.events = [...events.keys()];
		yield* put('state', JSON.stringify(stateOf(world)));
	}
}

const fingerprint = (text: string) => createHash('sha1').update(text).digest('base64');

function stateOf({ now, random, store, account }: World): State {
	return { now, random: random.state, sequences: store.sequences, account };
}
