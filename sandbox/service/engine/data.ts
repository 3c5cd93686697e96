import { UserError } from '../../lib/errors';
import { fill, format, type Moment, stateOf } from './moment';
import type { Origin, World } from './world';
import type { ClassicLevel } from 'classic-level';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** How often is looked for what has changed by itself, in milliseconds of the machine's time. */
const lookMs = 100;

type Change = { type: 'put'; key: string; value: string } | { type: 'del'; key: string };

/**
 * A folder that keeps a world (a LevelDB database). Rows are changed in place, so that changes are
 * found by comparing what would be written with what was written last. All that has changed is
 * written at once: whenever the process ends, the folder holds one moment of the world. LevelDB has
 * handed a batch to the operating system when it is done, so that only a crash of the machine, not
 * the kill of the process, can lose it.
 */
export class DataFolder {
	/** Fingerprints of what is in the folder, by key. */
	private readonly written = new Map<string, string>();
	/** What could not be written. */
	private unwritten: Change[] = [];
	private world: World | undefined;
	/** Why the last look could not write. */
	private told: string | undefined;
	/** The mark of the world that was taken last to be written. */
	private taken: string | undefined;
	/** The write under way, or the last one; never rejects. */
	private writing: Promise<Error | undefined> = Promise.resolve(undefined);
	/** The write after that, as long as it has not begun. */
	private next: Promise<Error | undefined> | undefined;
	private timer: NodeJS.Timeout | undefined;
	private closed = false;

	private constructor(
		private readonly database: ClassicLevel<string, string>,
		private readonly folder: string,
	) {}

	/** Opens the folder, which is made when it is not there. */
	static async open(folder: string): Promise<DataFolder> {
		try {
			await makeFolder(path.resolve(folder));
		} catch (error) {
			throw new UserError(
				`The data folder ${folder} cannot be created: ${(error as Error).message}`,
			);
		}
		// Loaded only here: its native part is needed by nobody who keeps nothing.
		const { ClassicLevel } = await import('classic-level');
		const createIfMissing = !existsSync(begunIn(folder));
		const database = new ClassicLevel<string, string>(folder, { createIfMissing });
		try {
			await database.open();
		} catch (error) {
			const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
			throw new UserError(
				code === 'LEVEL_LOCKED'
					? `The data folder ${folder} is in use by another service. Stop that service, or use another folder.`
					: `The data folder ${folder} cannot be opened: ${message}`,
			);
		}
		return new DataFolder(database, folder);
	}

	/**
	 * What the fleet in the folder was begun with; nothing when the folder is empty. Fails when it is
	 * another one than what is asked for, or was written in another format.
	 */
	async originFor(wanted: Partial<Origin>): Promise<Origin | undefined> {
		const text = await this.whole(() => this.database.get('origin'));
		if (text === undefined) {
			if (existsSync(begunIn(this.folder))) throw this.damaged('its fleet is gone');
			// Nothing, or what a first start has left that did not come to its end.
			await this.database.clear();
			return undefined;
		}
		const saved = await this.whole(() => JSON.parse(text) as Origin & { format: number });
		if (saved.format !== format) {
			throw new UserError(
				`The data folder ${this.folder} was written by another version of the service. Delete the folder to start with a new fleet, or use another folder.`,
			);
		}
		for (const name of ['sites', 'seed'] as const) {
			if (wanted[name] !== undefined && wanted[name] !== saved[name]) {
				throw new UserError(
					`The data folder ${this.folder} contains a fleet that was created with ${name} ${saved[name]}, not ${wanted[name]}. Leave that option out to keep the fleet, delete the folder to start with a new fleet, or use another folder.`,
				);
			}
		}
		return { seed: saved.seed, sites: saved.sites };
	}

	/** From now on what comes into the world, a new and empty one, and changes in it is noticed. */
	watch(world: World): void {
		world.timeline.watch();
		for (const [, collection] of world.store.collections()) {
			collection.watch(() => world.isReading);
		}
	}

	/** Puts what is in the folder into a new world. */
	async restore(world: World): Promise<void> {
		await this.whole(() => this.read(world));
		for (const [, collection] of world.store.collections()) collection.takeChanges();
		world.timeline.takeChanges();
	}

	private async read(world: World): Promise<void> {
		const rows: Moment['rows'] = {};
		const events: Moment['events'] = [];
		for await (const [key, value] of this.database.iterator()) {
			if (key === 'origin') continue;
			this.written.set(key, fingerprint(value));
			const [kind, name = ''] = key.split('/', 2);
			if (kind === 'row') (rows[name] ??= []).push(JSON.parse(value));
			if (kind === 'event') events.push(JSON.parse(value));
		}
		const { kept, ...state } = JSON.parse((await this.database.get('state'))!) as State;
		// LevelDB leaves out what it cannot read of its log.
		if (kept !== undefined && kept !== this.written.size) throw new Error('records are missing');
		fill(world, { ...state, rows, events });
	}

	/** Reads what an undamaged folder has. */
	private async whole<T>(look: () => T | Promise<T>): Promise<T> {
		try {
			return await look();
		} catch (error) {
			const { message } = ((error as Error).cause ?? error) as Error;
			throw this.damaged(message);
		}
	}

	private damaged(why: string): UserError {
		return new UserError(
			`The data folder ${this.folder} is damaged (${why}). Put back a copy of the folder, or delete it to start with a new fleet.`,
		);
	}

	/** Writes the world, and from now on also what changes in it by itself. */
	async keep(world: World): Promise<void> {
		this.world = world;
		// A new fleet piece by piece, because all of a large one takes much memory; one that goes on at once.
		const size = this.written.size === 0 ? 1000 : Infinity;
		let piece: Change[] = [];
		for (const change of this.changes()) {
			piece.push(change);
			if (piece.length < size) continue;
			await this.database.batch(piece);
			piece = [];
		}
		await this.database.batch(piece);
		// Written last: without it the folder does not count.
		await this.database.put('origin', JSON.stringify({ format, ...world.origin }));
		await writeFile(begunIn(this.folder), '');
		this.lookIn(lookMs);
	}

	/**
	 * Comes back when all that has changed until now is in the folder, and fails when it could not be
	 * written. All who ask while a write is under way share the next one.
	 */
	async save(): Promise<void> {
		if (!this.world) return;
		if (this.taken !== markOf(this.world)) {
			this.next ??= this.writing.then(() => {
				this.next = undefined;
				return (this.writing = this.write());
			});
		}
		const error = await (this.next ?? this.writing);
		if (error) {
			throw new Error(`The data folder ${this.folder} cannot be written: ${error.message}`);
		}
	}

	/** Writes what has changed last and closes the folder. */
	async close(): Promise<void> {
		this.closed = true;
		clearTimeout(this.timer);
		this.taken = undefined;
		try {
			await this.save();
		} finally {
			this.world = undefined;
			await this.database.close();
		}
	}

	private lookIn(ms: number): void {
		if (this.closed) return;
		const look = async () => {
			const trouble = await this.save().then(
				() => undefined,
				(error: Error) => error.message,
			);
			if (trouble !== undefined && trouble !== this.told) console.error(trouble);
			this.told = trouble;
			this.lookIn(ms);
		};
		this.timer = setTimeout(() => void look(), ms).unref();
	}

	/** Writes all that has changed; returns why it could not. */
	private async write(): Promise<Error | undefined> {
		try {
			if (this.unwritten.length > 0) {
				// What LevelDB writes behind a half-written batch would be lost, unless it is opened anew.
				await this.database.close();
				await this.database.open();
			}
			this.unwritten = [...this.unwritten, ...this.changes()];
			await this.database.batch(this.unwritten);
			this.unwritten = [];
			return undefined;
		} catch (error) {
			this.taken = undefined;
			return ((error as Error).cause ?? error) as Error;
		}
	}

	/** What is other than what was written last. */
	private *changes(): Generator<Change> {
		const world = this.world!;
		this.taken = markOf(world);
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
		for (const [order, event] of world.timeline.takeChanges()) {
			const key = `event/${order}`;
			yield* event ? put(key, JSON.stringify(event)) : remove(key);
		}
		// With itself, which is not there before the first time.
		const kept = this.written.size + (this.written.has('state') ? 0 : 1);
		yield* put('state', JSON.stringify({ ...stateOf(world), kept } satisfies State));
	}
}

type State = ReturnType<typeof stateOf> & {
	/** How many records the folder has; folders of earlier versions do not say it. */
	kept?: number;
};

/** A file that is there once the first start has come to its end: what LevelDB has lost looks like a new folder. */
const begunIn = (folder: string) => path.join(folder, 'begun');

/** Makes a folder and those above it. Node's own `recursive` never comes back from under /proc. */
async function makeFolder(folder: string): Promise<void> {
	try {
		await mkdir(folder);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
		if (code !== 'ENOENT' || folder === path.dirname(folder)) throw error;
		await makeFolder(path.dirname(folder));
		await mkdir(folder);
	}
}

/**
 * Differs when there is something to write: a change, a draw (some answers to questions have one),
 * or a time ahead of the machine's, which a restart would not reach by itself.
 */
const markOf = ({ revision, random, now }: World) =>
	`${revision} ${random.state} ${now > Date.now() ? now : ''}`;

const fingerprint = (text: string) => createHash('sha1').update(text).digest('base64');
