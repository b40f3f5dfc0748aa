/** A worker as its owner uses it. `ended` is called if it could not start, or died. */
export const workerThread = (worker: Worker) => ({
  post: (message: unknown, transfer: Transferable[] = []) => worker.postMessage(message, transfer),
  listen: (heard: (message: never) => void, ended: () => void) => {
    worker.addEventListener("message", (event: MessageEvent) => heard(event.data as never));
    worker.addEventListener("error", () => {
      worker.terminate();
      ended();
    });
  },
  end: () => worker.terminate(),
});
