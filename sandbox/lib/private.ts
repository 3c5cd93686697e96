import { chmodSync, mkdirSync } from 'node:fs';

/** What this process and those that it starts make from now on, only their user can read. */
export const writePrivately = (): void => void process.umask(0o077);

/**
 * Makes folders that only this user can read, also those that were there before.
 * @param isPassage whether other users get to what is their own inside; they do not see what else there is
 */
export function privateFolders(folders: string[], isPassage = false): void {
	for (const folder of folders) {
		mkdirSync(folder, { recursive: true });
		chmodSync(folder, isPassage ? 0o711 : 0o700);
	}
}
