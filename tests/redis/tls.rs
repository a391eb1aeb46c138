//! Encrypted connections, to a server with a certificate of an authority of the test's own.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use redis::TlsCertificates;
use windowlimit::{Limit, OnStoreError, Reason, RedisStore, SharedLimiter, StoreState};

use crate::{
    load::{Load, N, Worker, check, now},
    server::{Program, Server, free_port, until},
};

/// A server that can be asked either way.
struct Encrypted {
    server: Server,
    port: u16,
    /// The certificate of the authority, which is also in the first of the files.
    authority: String,
    files: [PathBuf; 3],
}

impl Encrypted {
    fn start(program: &Program) -> Self {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("there is chance");
        let authority = CertifiedIssuer::self_signed(authority, key).expect("it can be signed");
        let key = KeyPair::generate().expect("there is chance");
        let certificate = CertificateParams::new(["localhost".to_owned()]).expect("it is a name");
        let certificate = certificate.signed_by(&key, &authority).expect("it can be signed");
        let port = free_port();
        let file = |name: &str, content: &str| {
            let path =
                Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{port}-{name}", std::process::id()));
            fs::write(&path, content).expect("it can be written");
            path
        };
        let (cert_file, key_file) = (file("cert", &certificate.pem()), file("key", &key.serialize_pem()));
        let text = |path: &Path| path.display().to_string();
        let server = Server::with(
            program,
            &[
                "--tls-port",
                &port.to_string(),
                "--tls-cert-file",
                &text(&cert_file),
                "--tls-key-file",
                &text(&key_file),
                "--tls-auth-clients",
                "no",
            ],
        );
        let authority = authority.pem();
        let files = [file("authority", &authority), cert_file, key_file];
        Self { server, port, authority, files }
    }

    fn address(&self) -> String {
        format!("rediss://localhost:{}", self.port)
    }
}

impl Drop for Encrypted {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
    }
}

fn strict(store: &RedisStore) -> SharedLimiter {
    let limiter = SharedLimiter::builder(store, "encrypted").limit(Limit::per_hour(3));
    limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit")
}

pub(crate) fn a_client_that_trusts_the_authority_shares_the_window(program: &Program) {
    let encrypted = Encrypted::start(program);
    let trusts =
        TlsCertificates { client_tls: None, root_cert: Some(encrypted.authority.clone().into_bytes()) };
    let client = redis::Client::build_with_tls(encrypted.address(), trusts).expect("it is an address");
    let store = RedisStore::of_client(client).deadline(Duration::from_secs(20)).build();
    let (over_tls, in_the_open) = (strict(&store), strict(&encrypted.server.store()));
    assert!(over_tls.check(&()).is_ok(), "{:?}", store.last_error());
    assert!(in_the_open.check(&()).is_ok());
    let permit = over_tls.try_acquire(&()).expect("one is left");
    assert!(permit.remaining() == 0 && in_the_open.check(&()).is_err());
    assert_eq!(over_tls.degraded(), 0);
}

pub(crate) fn a_certificate_that_nobody_vouches_for_is_told(program: &Program) {
    let encrypted = Encrypted::start(program);
    let store = RedisStore::builder(&encrypted.address()).expect("it is an address");
    let store = store.deadline(Duration::from_secs(20)).build();
    let limiter = strict(&store);
    until("it is known", || {
        let refusal = limiter.check(&()).expect_err("nobody is asked");
        assert_eq!(refusal.reason(), Reason::StoreUnavailable);
        matches!(store.state(), StoreState::Down(_))
    });
    let StoreState::Down(why) = store.state() else { unreachable!("it was down") };
    assert!(why.is_away() && why.to_string().contains("certificate"), "{why}");
}

/// By the address alone, with the authority among those that the system trusts.
pub(crate) fn four_processes_share_a_window_over_encrypted_connections(program: &Program) {
    let mut encrypted = Encrypted::start(program);
    let trusts = [("SSL_CERT_FILE", encrypted.files[0].display().to_string())];
    let load = Load::with(&encrypted.address(), [Worker::PLAIN; 4], &trusts);
    until("calls are admitted", || load.admitted_since(0) >= N as usize * 3);
    check(&load.admissions());
    let denied = load.denied();
    encrypted.server.kill();
    until("calls are refused for want of a store", || load.denied() >= denied + 40);
    encrypted.server.run();
    let back = now();
    until("calls are admitted again", || load.admitted_since(back) >= N as usize);
}

/// Whether this server was built so that it can encrypt.
pub(crate) fn can_encrypt(program: &Program) -> Result<(), String> {
    // One that can misses its certificate; one that cannot misses the means, or does not know the setting.
    let said = program.refuses(&["--port", "0", "--tls-port", "6379"]);
    if said.contains("No tls-cert-file configured") {
        Ok(())
    } else {
        Err("SKIPPED: this server was built without TLS".to_owned())
    }
}
