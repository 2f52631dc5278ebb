"""The certificate of the encrypted page: made on first use, kept with its key in the data folder.

It is signed by itself: a browser warns once, and shows the fingerprint that the table shows too. The same
certificate stays as long as it names this machine's addresses, so that a browser warns only once.
"""

from __future__ import annotations

import ipaddress
import logging
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion import config
from companion.files import brief_file, read_whole, write_whole

FILE = "certificate.pem"
"""Key and certificate, in the data folder, for its owner only."""
TITLE = "Mahjong companion"
VALID_DAYS = 397
"""Browsers accept no certificate that is valid for more than 398."""
RENEW_DAYS = 30
"""A certificate that ends within this time is made again."""
CLOCK_DAYS = 2
"""How far a phone's clock may be behind."""
HOSTS_MAX = 20
"""Names and addresses in a certificate. Earlier ones stay, so that moving between two networks changes
nothing."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Certificate:
    """pem: key and certificate. hosts: the names and addresses that it is for. fingerprint: SHA-256 of the
    certificate as browsers show it, `AB:CD:…`, 32 bytes."""

    pem: bytes
    hosts: tuple[str, ...]
    fingerprint: str

    def load_into(self, context: ssl.SSLContext) -> None:
        """Have the context use it for new connections."""
        with brief_file(self.pem) as path:
            context.load_cert_chain(path)


def load_certificate(hosts: Sequence[str]) -> Certificate:
    """The kept certificate; made again, with the same key, where it does not name all of these hosts or ends
    soon. Where nothing can be kept it is new each time."""
    kept = _read()
    if kept is None:
        made = _make(ec.generate_private_key(ec.SECP256R1()), hosts)
    else:
        key, certificate = kept
        earlier = _list_hosts(certificate)
        ends_in = certificate.not_valid_after_utc - datetime.now(UTC)
        if set(hosts) <= set(earlier) and ends_in > timedelta(days=RENEW_DAYS):
            return _describe(key, certificate)
        made = _make(key, tuple(dict.fromkeys((*hosts, *earlier)))[:HOSTS_MAX])
    try:
        write_whole(config.data_dir() / FILE, made.pem)
    except OSError:
        log.warning("the certificate of the served page is not kept", exc_info=True)
    return made


def _read() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate] | None:
    """The kept key and certificate; None where there is none that can be used."""
    try:
        pem = read_whole(config.data_dir() / FILE)
        key = serialization.load_pem_private_key(pem, None)
        certificate = x509.load_pem_x509_certificate(pem)
        if isinstance(key, ec.EllipticCurvePrivateKey) and key.public_key() == certificate.public_key():
            _list_hosts(certificate)
            return key, certificate
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        pass
    log.warning("the kept certificate of the served page cannot be used: a new one is made")
    return None


def _list_hosts(certificate: x509.Certificate) -> tuple[str, ...]:
    named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return tuple(str(each.value) for each in named)


def _make(key: ec.EllipticCurvePrivateKey, hosts: Sequence[str]) -> Certificate:
    now, title = datetime.now(UTC), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, TITLE)])
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=False, crl_sign=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    certificate = (
        x509.CertificateBuilder(title, title, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=CLOCK_DAYS))
        .not_valid_after(now + timedelta(days=VALID_DAYS - CLOCK_DAYS))
        .add_extension(x509.SubjectAlternativeName([_name(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _describe(key, certificate)


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _describe(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Certificate:
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ) + certificate.public_bytes(serialization.Encoding.PEM)
    digest = certificate.fingerprint(hashes.SHA256())
    return Certificate(pem, _list_hosts(certificate), digest.hex(":").upper())
